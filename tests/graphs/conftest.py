from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphs.parts.docs_index import DocsIndex, open_docs_index


@pytest.fixture(scope="session", autouse=True)
def _cache_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the user's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def docs(_cache_home: None) -> Iterator[DocsIndex]:
    """The real index of this Python."""
    index = open_docs_index()
    yield index
    index.close()
