# The commands of the project. All work in a virtual environment of its own, .venv, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := build/demo/errors.db
PORT ?= 8001

.PHONY: demo test test-alpha lint messages docs docs-check bench fit clean

# Install, ingest the shipped sample, serve it; the last line printed is its address.
demo: $(VENV)/.installed
	@mkdir -p $(dir $(DEMO))
	$(BIN)/culdesac ingest --sample --db $(DEMO)
	$(BIN)/culdesac serve --db $(DEMO) --port $(PORT)

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest

# The plugin with the newest alpha of Datasette 1.0, in an environment of its own; nothing depends on how it ends.
test-alpha: $(VENV)/.made
	test -d .venv-alpha || $(PYTHON) -m venv .venv-alpha
	.venv-alpha/bin/python -m pip install --quiet --disable-pip-version-check -e '.[fast,dev]'
	.venv-alpha/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --pre 'datasette>=1.0a0'
	.venv-alpha/bin/python -m pip list 2>/dev/null | grep -i '^datasette '
	.venv-alpha/bin/python -m pytest -q tests/test_api.py tests/test_plugin_loading.py tests/test_web.py tests/test_web_*.py

# mypy can't follow the mapping from folders to packages: give it a tree that looks like the installed package.
lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	rm -rf build/lint && mkdir -p build/lint/culdesac
	ln -s $(CURDIR)/app/* build/lint/culdesac/
	ln -s $(addprefix $(CURDIR)/,db ingest plugins queries) build/lint/culdesac/
	cd build/lint && MYPYPATH=. ../../$(BIN)/mypy --config-file ../../pyproject.toml -p culdesac

# The Chinese catalogue, brought up to date with the source and compiled; fails while a message isn't translated.
messages: $(VENV)/.installed-dev
	$(BIN)/python -m tests.catalogue

# The printed output in docs/ is made by running what it shows.
docs: $(VENV)/.installed-dev
	$(BIN)/cog -r -P README.md README.zh.md docs/*.md

docs-check: $(VENV)/.installed-dev
	$(BIN)/cog --check -P README.md README.zh.md docs/*.md

bench: $(VENV)/.installed-bench
	$(BIN)/python tests/bench/run.py

# The engine's weights, fitted anew on the labelled queries, with their spread over folds.
fit: $(VENV)/.installed-bench
	$(BIN)/python tests/bench/fit.py

clean:
	rm -rf build .venv .venv-alpha *.egg-info

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Culdesac needs Python 3.11 or newer; name one: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[fast]'
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[fast,dev,bench]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[fast,dev]'
	@touch $@
