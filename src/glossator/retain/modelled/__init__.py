"""How does a language model take facts out of a turn?

    from glossator.retain.modelled.extractor import ModelExtractor

Nothing is imported here: what a reply may be wrong in (reply.py) is known everywhere, and a memory without a model
need not wait for the rest.
"""
