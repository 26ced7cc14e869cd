"""How a render call is read: from a stream, from messages, from any store."""
