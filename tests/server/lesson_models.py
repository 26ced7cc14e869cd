"""Models for graphs on the server: a script, and clients of imitation servers in its process.

The servers' threads end with the process. (A graph file is run once for each of its graphs; this
module is imported once.)
"""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from tests.langgraph.lesson_graphs import MODELS, answered, scripted_model
from tests.langgraph.provider_clients import PROVIDERS

__all__ = ["LESSON_MODELS"]


def client(name: str) -> BaseChatModel:
    server = PROVIDERS[name].server(answered)
    server.__enter__()
    return PROVIDERS[name].client(server, True)


LESSON_MODELS = [scripted_model(stream=True), *map(client, MODELS[1:])]
"""In the order of `MODELS`."""
