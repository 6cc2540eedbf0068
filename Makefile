# `make site` and `make test` are all that a newcomer needs: each makes its own environment.
.DEFAULT_GOAL := help
BIN := .venv/bin

# Options for the command that a target runs: make site ARGS=--strict
ARGS ?=

.PHONY: help
help:
	@echo 'make site    build the site into site/'
	@echo 'make archive build it and pack it into one file (ARCHIVE=site.zip)'
	@echo 'make serve   build it, serve it on this machine, follow edits'
	@echo 'make check   check the notes: links, citations, tags, headings'
	@echo 'make test    every test; installs what it needs, a browser included'
	@echo 'make quick   lint, types and the fast tests'
	@echo 'make lint    style and types of the Python code, and of the scripts of pages'
	@echo 'make verify  run every count claim of the labs again'
	@echo 'make cuda    install the compiler for the labs on GPUs (0.4 GB; needs no GPU)'
	@echo 'make review  what changes for readers since BASE (main), with pictures'
	@echo 'make links   ask every external link whether it still leads somewhere'
	@echo 'make bench   measure builds beside other generators'
	@echo 'make bench-check measure what a check costs'
	@echo 'make bench-shapes measure what a note of 1 MB costs, by the shape of its text (hours)'
	@echo 'make bench-search BOOKS=DIR   measure search beside other engines'
	@echo 'make series  build and check after random edits, with and without the cache (SERIES=8)'
	@echo 'make verdicts run timing claims beside a busy core, 20 times'
	@echo 'make lighthouse, visit, screenshots: what the pages of the built site cost and look like'
	@echo 'make weights what each note costs at a first visit, from the files of the site'
	@echo 'make valid   the Nu HTML checker on one page of each kind (needs Java)'
	@echo 'make pages   open every page of the built site in a browser and look for faults'
	@echo 'make stylesheet what the site ships of the theme'"'"'s style sheet, and whether pages look the same'
	@echo 'make lock    pin requirements anew (UPGRADE=1 takes newer versions)'
	@echo 'make clean   remove what was built; make distclean: the environment too'

.PHONY: site archive serve check links verify
site: env
	@$(BIN)/perfnotes build $(ARGS)

# Unpacked, it is read and searched without a server.
ARCHIVE ?= build/perfnotes.tar.gz
archive: env
	@$(BIN)/perfnotes build --archive $(ARCHIVE) $(ARGS)

serve: env
	@exec $(BIN)/perfnotes serve $(ARGS)

check: env
	@$(BIN)/perfnotes check $(ARGS)

# Counts come out the same on a busy machine, so this may run anywhere.
verify: env
	@tools/setup/labs.sh
	@$(BIN)/perfnotes lab verify --trust $(ARGS)

links: env
	@$(BIN)/perfnotes links $(ARGS)

# What a reviewer of the changes since BASE gets, in build/review/: the comment, pictures, findings.
.PHONY: review
BASE ?= main
review: env-dev
	@CHROMIUM=$$(tools/setup/browser.sh) && export CHROMIUM && tools/review/report.sh '$(BASE)' build/review

.PHONY: test quick lint bench bench-check bench-shapes bench-search verdicts
# What the tests of the instruments measure with, and the shells that complete.
TOOLS := bubblewrap gcc g++ libc6-dev binutils valgrind strace linux-perf llvm libtcmalloc-minimal4 \
	libjemalloc2 libmimalloc2.0 zsh fish

# A file's tests stay in one process, for they share what was built for them; tests/conftest.py
# says which files come first.
# One process more than there are cores, up to four: tests wait a third of the time, for builds, servers
# and browsers. With two more, tests on a slow machine now and then wait longer than they may.
PROCESSES := $(shell n=$$(getconf _NPROCESSORS_ONLN); echo $$((n < 4 ? n + 1 : 4)))
# Bytecode is kept, whatever the environment says: each process would compile everything again.
PYTEST := env -u PYTHONDONTWRITEBYTECODE tools/setup/in_memory.sh $(BIN)/pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder

# The browser comes first: what may not be installed ends the run before the long part.
test: env-dev
	@tools/setup/labs.sh $(TOOLS)
	@CHROMIUM=$$(tools/setup/browser.sh) && export CHROMIUM && tools/setup/with_lint.sh $(PYTEST) $(ARGS)

# The theme's scripts whose types are checked with those of scripts/page/types.d.ts.
TYPED := calc card cite early figure filter home lines margin moved numbers oldfact papers table

# Works without a network and keeps what it knows below .cache/.
DENO := DENO_DIR=.cache/deno DENO_NO_UPDATE_CHECK=1 $(BIN)/deno

quick: env-dev
	@tools/setup/with_lint.sh $(PYTEST) -m 'not slow' $(ARGS)

# Random series of edits: builds and checks with and without the cache, and what serve shows; then
# many examples where the suite tries few (tests/examples.py).
.PHONY: series
SERIES ?= 8
series: env-dev
	@tools/setup/in_memory.sh $(BIN)/pytest tests/test_incremental.py tests/test_edit.py tests/test_check_cache.py \
		tests/test_serve_series.py -k series --series $(SERIES) $(ARGS)
	@$(BIN)/pytest tests/test_quick.py tests/test_text_limits.py tests/test_units.py tests/test_search_again.py \
		tests/test_diff_forms.py tests/test_explorables.py -k 'not pictures_before' --series $(SERIES) $(ARGS)
	@CHROMIUM=$$(tools/setup/browser.sh) && export CHROMIUM && \
	$(BIN)/pytest tests/test_mutations.py tests/test_search_both_engines.py tests/test_search_own_notes.py tests/test_search_answers.py \
		tests/test_edit.py tests/test_page_selection.py tests/test_remembered_parts.py tests/test_graph_names.py \
		-k "mutations or every_name or every_symptom or alike or compared or differs or memo or over_another" --all-notes $(ARGS)

# Python and the scripts at once: each half keeps one core busy.
lint: env-dev
	@$(MAKE) --no-print-directory --output-sync=target -j2 lint-python lint-scripts

.PHONY: lint-python lint-scripts
lint-python:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@PYTHONPATH=tools $(BIN)/lint-imports --no-cache

lint-scripts:
	$(DENO) lint tools tests/javascript
	$(DENO) check tools/perfnotes/site/theme/scripts/search/app.js tests/javascript
	$(DENO) check tools/perfnotes/site/theme/scripts/explorables/types.d.ts \
		tools/perfnotes/site/theme/assets/perfnotes/explore.js \
		tools/perfnotes/site/theme/assets/perfnotes/typed.js \
		tools/perfnotes/site/theme/assets/perfnotes/explorables \
		tools/perfnotes/site/theme/scripts/explorables/expansion-steps/main.js
	$(DENO) check tools/perfnotes/site/theme/scripts/page/types.d.ts \
		$(addprefix tools/perfnotes/site/theme/scripts/page/,boxes.js code.js site.js start.js) \
		$(TYPED:%=tools/perfnotes/site/theme/assets/perfnotes/%.js) \
		tools/perfnotes/site/theme/scripts/graph/main.js \
		tools/perfnotes/site/theme/scripts/missing/main.js
	$(DENO) check tools/perfnotes/site/theme/scripts/page/types.d.ts \
		tools/perfnotes/site/theme/scripts/passages/main.js
	$(DENO) check tools/perfnotes/site/theme/scripts/page/worker.d.ts \
		tools/perfnotes/site/theme/scripts/page/offline.js

verdicts: env-dev
	@$(BIN)/python -m benchmarks.labs.verdicts $(ARGS)

# In memory, so that the files which the round before removed slow nobody down.
bench: env-dev
	@tools/setup/in_memory.sh $(BIN)/python -m benchmarks.build.run $(ARGS)
	@tools/setup/in_memory.sh $(BIN)/python -m benchmarks.build.edits

# What `perfnotes check` costs, beside its budgets.
bench-check: env-dev
	@$(BIN)/python -m benchmarks.check.run $(ARGS)

# What one note of 1 MB costs, by the shape of its text; hours of processor time without ARGS.
bench-shapes: env-dev
	@$(BIN)/python -m benchmarks.hostile.shapes $(ARGS)

# BOOKS is a folder with clones of the books that benchmarks/search/books.yml names.
bench-search: env-dev
	@CHROMIUM=$$(tools/setup/browser.sh) && export CHROMIUM && \
	$(BIN)/python -m benchmarks.search.run $(if $(BOOKS),--books '$(BOOKS)') $(ARGS)

# What the pages of the site in site/ cost their readers, and how they look.
.PHONY: lighthouse visit screenshots stylesheet valid pages weights
lighthouse visit screenshots stylesheet valid: env-dev
	@CHROMIUM=$$(tools/setup/browser.sh) && export CHROMIUM && $(BIN)/python -m benchmarks.page.$@ $(ARGS)

# What each note weighs, from the files of the site; no browser.
weights: env-dev
	@$(BIN)/python -m benchmarks.page.weights $(ARGS)

# Every page in a browser, in both lights and two widths; the tests look at one of each kind.
pages: env-dev
	@CHROMIUM=$$(tools/setup/browser.sh) && export CHROMIUM && $(BIN)/python -m benchmarks.page.every_page $(ARGS)

.PHONY: env env-dev
env:
	@tools/setup/venv.sh site

env-dev:
	@tools/setup/venv.sh dev

# For the labs that read what NVIDIA's compiler makes.
.PHONY: cuda
cuda: env
	@tools/setup/cuda.sh

# Only the index that uv knows by itself is asked, so that the pins install from it alone.
.PHONY: lock
LOCK = cd requirements && env -u UV_INDEX -u UV_DEFAULT_INDEX -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL \
	-u UV_FIND_LINKS ../$(BIN)/uv --no-config pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)
lock: env-dev
	@$(LOCK) site.in --output-file site.txt
	@$(LOCK) import.in --output-file import.txt
	@$(LOCK) dev.in --output-file dev.txt
	@$(LOCK) labs.in --output-file labs.txt
	@$(LOCK) cuda.in --output-file cuda.txt

# The folder build/stage stays: `mkdocs build` in a fresh clone needs it.
.PHONY: clean distclean
clean:
	rm -rf site .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .perfnotes-cache
	find build -mindepth 1 ! -path build/stage ! -path build/stage/.gitkeep -delete
	find tools tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean
	rm -rf .venv tools/*.egg-info
