# A thin front door: the work is done by CMake (CMakePresets.json), ctest and scripts/.

PRESET ?= release
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
BUILD := build/$(PRESET)

.PHONY: build setup demo test test-mistakes test-slurm bench format tidy install clean update-golden

build: $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS)

$(BUILD)/build.ninja: CMakePresets.json
	@scripts/setup.sh --check
	@mkdir -p build && cmake --preset $(PRESET) -DHONE_PRECOMPILE=ON >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }

# Installs what is missing (apt) or names it.
setup:
	@scripts/setup.sh

demo: setup
	@$(MAKE) --no-print-directory build
	@scripts/demo.sh $(BUILD)/bin/hone

test: setup
	@$(MAKE) --no-print-directory build
	@scripts/test.sh $(BUILD)

# Mistakes seeded in the passes, which random kernels must find: 25 of them within 2000 kernels; and in OpenACC's part, of which the
# programs of test/acc must find each. Minutes.
test-mistakes: setup
	@$(MAKE) --no-print-directory build
	@cmake --build $(BUILD) -j $(JOBS) --target fuzz_passes_seeded
	@$(BUILD)/bin/fuzz_passes_seeded targets --mistakes --count 2000 --least-found 25
	@cmake --build $(BUILD) -j $(JOBS) --target acc_seeded
	@python3 test/acc/mistakes.py $(BUILD)/seeded/bin/hone clang-22 -j $(JOBS)

# Workers under a one-node Slurm on loopback, which it installs (as root), starts and ends. A minute or two.
test-slurm: setup
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target hone hone-worker
	@scripts/test-slurm.sh $(BUILD)

bench: setup
	@$(MAKE) --no-print-directory build
	@bench/run.sh $(BUILD)/bin/hone
	@bench/device.sh $(BUILD)

format:
	@git ls-files '*.cpp' '*.h' ':!test/corpus' ':!test/lit' ':!examples' ':!runtime/include' | xargs clang-format-22 -i

tidy: build
	@python3 test/tidy.py . $(BUILD) --all

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

# Rewrites the expected files of golden tests from what hone prints now; look at the diff before committing.
update-golden: build
	@HONE_UPDATE_GOLDEN=1 ctest --test-dir $(BUILD) -L golden --output-on-failure

clean:
	@rm -rf build
