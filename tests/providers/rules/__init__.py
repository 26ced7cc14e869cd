"""The published rules of each provider on a request: pure functions, no HTTP.

Every module has `check(request) -> Refusal | None`; each rule names the page or the issue in
which the provider's own words were published. A rule without such a source is not here.
"""
