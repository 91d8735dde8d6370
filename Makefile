# SPDX-License-Identifier: MIT
# A thin front of CMake. `make report` and `make check` are the two commands; each sets up what is missing first.
BUILD ?= build
JOBS ?= $(shell nproc)
CONFIGURE ?=

.PHONY: report check bench build setup format clean

report: build
	$(BUILD)/bin/reductio run --tier full --json $(BUILD)/results.json --html $(BUILD)/report.html
	@echo "The page: $(BUILD)/report.html   The data: $(BUILD)/results.json"

check: build
	ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

bench: build
	cmake --build $(BUILD) --target bench

build: setup
	cmake -S . -B $(BUILD) $(CONFIGURE)
	cmake --build $(BUILD) --parallel $(JOBS)

setup:
	@cmake/setup.sh

format:
	git ls-files '*.c' '*.h' '*.cu' '*.cpp' '*.cuh' | xargs clang-format -i

clean:
	rm -rf $(BUILD)
