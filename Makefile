# Thin names for what pyproject.toml declares; `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help run test check bench faults lock clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-7s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(INSTALLED) ## Start everything on this machine with a demo gym, and say what to open
	@$(BIN)/spotter run

TESTS := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder tests

test: $(INSTALLED) ## Run the tests, all but the longest (ARGS="-k name" for some)
	@$(BIN)/python -m bot.playground.servers.browser
	$(TESTS) -m "not long" $(ARGS)

check: $(INSTALLED) ## Format, lint, types and layers, as CI does
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy app tools bot i18n tests wsgi.py migrations
	$(BIN)/lint-imports --no-logo

bench: $(INSTALLED) ## Measure; prints numbers, fails nothing
	@$(BIN)/spotter bench $(ARGS)

faults: $(INSTALLED) ## The longest tests: processes are killed, servers stopped; nothing may be lost
	@$(BIN)/python -m bot.playground.servers.browser
	$(TESTS) -m "faults or long" $(ARGS)

lock: $(BIN)/uv ## Pin the newest versions pyproject.toml allows, by hash
	$(COMPILE) --upgrade --all-extras pyproject.toml -o lock/all.txt
	printf 'setuptools\nuv\n' | $(COMPILE) --upgrade - -o lock/build.txt

clean: ## Remove the environment, caches, and the data of the demo and of the tests
	for link in .data/*; do [ ! -L "$$link" ] || rm -rf "$$(readlink "$$link")"; done
	rm -rf $(VENV) .data .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf build *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

# pip puts uv in place; uv does the rest in seconds. Where it can't (pip may know of a mirror that
# uv doesn't), pip does that too, from the same pins.
$(BIN)/uv: lock/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r lock/build.txt
	@touch $@

$(INSTALLED): $(BIN)/uv pyproject.toml lock/all.txt
	@echo "Installing the locked packages into $(VENV): a minute or two, the first time."
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --compile-bytecode --require-hashes \
		-r lock/all.txt \
		|| $(BIN)/python -m pip install --quiet --require-hashes -r lock/all.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@
