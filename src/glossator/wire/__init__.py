"""How are the verbs and values of Memory written on the wire? What the HTTP server and its client share."""
