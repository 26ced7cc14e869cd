"""Imitations of the providers' servers for tests: their rules, their refusals, their wire forms.

Each server answers from a script over real HTTP on loopback; see `http.ProviderServer`.
"""
