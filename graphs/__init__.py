"""Deployable graphs, one a file, named in langgraph.json by file path."""
