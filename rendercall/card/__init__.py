"""How an answer looks: laid out once, in words and in marks, for terminal, notebook and page."""
