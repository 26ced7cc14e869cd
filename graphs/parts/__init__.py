"""What the graphs share; imported absolutely, because graph files are loaded by path."""
