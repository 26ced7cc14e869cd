"""Plain Pydantic models that render calls carry; they import nothing of ours."""
