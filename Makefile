# The commands people type. Each first installs the Debian packages it misses (tools/install_dependencies.sh).
JOBS ?= $(shell nproc)
deps = sh tools/install_dependencies.sh

.PHONY: help deps build demo test bench lint fuzz clean

help:
	@echo 'make demo    build, then run the whole story once: train, privatise, collect, learn'
	@echo 'make test    everything that CI runs: format, tests, sanitizers, fuzzing, clang-tidy'
	@echo 'make build   the release build, in build/release'
	@echo 'make bench   the benchmarks; results in build/bench.json, device_bench.json and learning_bench.json'
	@echo 'make lint    clang-format, shellcheck and clang-tidy'
	@echo 'make fuzz    each fuzz target for FUZZ_SECONDS (default 60)'
	@echo 'make deps    install the packages that any of these needs'
	@echo 'make clean   remove build/'

deps:
	@$(deps) build demo test bench

build:
	@$(deps) build
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

demo: build
	@$(deps) demo
	build/release/apps/cli/sotto demo --output build/demo

test:
	@$(deps) test
	@JOBS=$(JOBS) sh tools/run_tests.sh

bench:
	@$(deps) bench
	cmake --preset release -DSOTTO_BENCH=ON
	cmake --build --preset release -j $(JOBS) --target sotto_bench sotto_device_bench sotto_learning_bench
	build/release/bench/sotto_bench --benchmark_out=build/bench.json --benchmark_out_format=json
	build/release/bench/sotto_device_bench --benchmark_out=build/device_bench.json --benchmark_out_format=json
	build/release/bench/sotto_learning_bench --out build/learning_bench.json

lint:
	@$(deps) test
	sh tools/check_format.sh
	cmake --preset ci
	JOBS=$(JOBS) sh tools/run_clang_tidy.sh

fuzz:
	@$(deps) test
	JOBS=$(JOBS) sh tools/run_fuzzers.sh $(or $(FUZZ_SECONDS),60)

clean:
	rm -rf build
