"""`python -m rendercall.cli` is `rendercall`."""

from __future__ import annotations

from rendercall.cli import main

if __name__ == "__main__":
    main()
