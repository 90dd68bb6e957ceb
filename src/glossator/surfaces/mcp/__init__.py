"""How does an assistant reach a memory over the Model Context Protocol? `glossator mcp`, and `mounting.mcp_app`.

`offering.py` says which tools there are, `server.py` makes a server of the SDK from them, `stdio.py` and `mounting.py`
carry it. The package `official/` speaks the nine tools of the official memory server instead:

    official.serving.official_server(*, path: Path) -> mcp.server.lowlevel.Server

It gives a server that the same two transports run; `path` is the JSONL file, which need not exist. The SDK is imported
inside the functions that need it: whoever only asks for help has not to wait for it.
"""
