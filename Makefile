# On a fresh machine with Python 3.11 or later and make:
#   make demo    see it work
#   make test    run all tests but the long sweeps

PYTHON ?= python3
WORKERS ?= 2
PYTEST_ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DELETE_ON_ERROR:
.PHONY: help demo test fast thorough mutations bench lint format stubs docs gallery web clean

help:
	@echo "make demo       install and run the demonstration"
	@echo "make test       install and run all tests (WORKERS=$(WORKERS), PYTEST_ARGS=...)"
	@echo "make fast       the tests without the slow ones"
	@echo "make thorough   the long sweeps, and twenty times the cases of every property (hours)"
	@echo "make mutations  flip signs in the core and see that a test catches each (half an hour)"
	@echo "make lint       format, lint, types, layers and spelling"
	@echo "make format     put the source into its form"
	@echo "make stubs      write the types of the public names again"
	@echo "make docs       build the site, build/site/html/index.html, and test it in a browser"
	@echo "make gallery    make the pictures and pages of the gallery again (needs Chromium)"
	@echo "make bench      speed against other programs"
	@echo "make web        build the script of the 3-D page again (needs node and npm)"
	@echo "make clean      remove $(VENV) and all caches"

demo: $(VENV)/.plot
	$(BIN)/jourdain demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(PYTEST_ARGS)

fast: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" $(PYTEST_ARGS)

thorough: $(VENV)/.dev
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal \
	  -m "thorough or property" --timeout 7200 -o faulthandler_timeout=7300 $(PYTEST_ARGS)

mutations: $(VENV)/.dev
	$(BIN)/python tests/mutations.py

lint: $(VENV)/.dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

stubs: $(VENV)/.dev
	$(BIN)/python tools/stubs.py

docs: $(VENV)/.docs
	$(BIN)/python tools/site.py
	$(BIN)/python -m pytest -q tests/browser/test_site.py

gallery: $(VENV)/.docs
	$(BIN)/python tools/gallery.py $(NAMES)

bench: $(VENV)/.bench
	@for script in $(or $(wildcard benchmarks/run.py),$(sort $(wildcard benchmarks/bench_*.py))); do \
	  echo "$$script"; $(BIN)/python "$$script" || exit 1; done

# The built script is part of the repository: using and installing the package needs no node.
web:
	cd web && npm install --no-package-lock --ignore-scripts --no-audit --no-fund
	cd web && node build.mjs

clean:
	rm -rf $(VENV) build web/node_modules .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -exec rm -rf {} +

# One stamp file per set of dependencies; a new pyproject.toml installs again.
$(VENV)/.plot $(VENV)/.dev $(VENV)/.docs $(VENV)/.bench: $(VENV)/.%: pyproject.toml $(VENV)/.made
	$(PIP) install --editable ".[$*]"
	@touch $@

$(VENV)/.made:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || { \
	  echo "Jourdain needs Python 3.11 or later, but '$(PYTHON)' is" \
	    "$$($(PYTHON) --version 2>/dev/null || echo not there)."; \
	  echo "Install a newer one, or name it: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@
