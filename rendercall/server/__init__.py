"""The page that goes with the graphs' server. Needs the extra `serve`."""
