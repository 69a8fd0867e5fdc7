# The tests, started by `make test`. Each program runs with the address and undefined-behaviour sanitizers; those with
# threads a second time with the thread sanitizer. Where the compiler has no sanitizers, plain.

CC      ?= gcc
T       := $(BUILD)/test
SRC     := $(sort $(filter-out src/facts_check.c,$(wildcard src/*.c)))
DEPENDS := $(wildcard src/*.h tests/*.h) $(SRC)
GOLDEN  := ../golden
# A real libcupti, of which the iterator over records is used; needs no GPU.
REAL    := $(firstword $(wildcard $(CUDA_HOME)/lib64/libcupti.so $(CUDA_HOME)/lib/libcupti.so $(CUDA_HOME)/extras/CUPTI/lib64/libcupti.so))

has = $(shell echo 'int main(void){return 0;}' | $(CC) -x c - $(1) -o /dev/null 2>/dev/null && echo $(1))
comma := ,
ASAN := $(call has,-fsanitize=address$(comma)undefined)
TSAN := $(call has,-fsanitize=thread)

TEST_CFLAGS = -std=gnu11 -O1 -g -pthread -Wall -Wextra -Werror -Wno-format-truncation -fno-omit-frame-pointer
COMPILE     = $(CC) $(TEST_CFLAGS)
# A test that hangs ends all of it.
RUN         = timeout 600

export ASAN_OPTIONS = detect_leaks=1:abort_on_error=0
export UBSAN_OPTIONS = halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS = halt_on_error=1:die_after_fork=0
export TEST_REAL_CUPTI = $(REAL)

.PHONY: all golden ring unit convert inject inject-threads cost
all: golden ring unit convert inject inject-threads cost
	@echo "all tests of the CUPTI producer passed"

golden: $(T)/golden_test
	@$(RUN) $< $(GOLDEN)/ring-1.txt $(GOLDEN)/ring-1.bin

ring: $(T)/ring_test
	@$(RUN) $<

unit: $(T)/unit_test
	@$(RUN) $<

convert: $(T)/convert_test $(T)/libcupti_fake.so
	@$(RUN) $< $(T)/libcupti_fake.so
ifneq ($(REAL),)
	@$(RUN) $< $(REAL)
endif

inject: $(T)/inject_test $(T)/libcupti_fake.so $(T)/libcupti_old.so $(BUILD)/libargus_cupti.so
	@$(RUN) $< $(T)/libcupti_fake.so $(T)/libcupti_old.so $(BUILD)/libargus_cupti.so

# Without sanitizers, as it is used; for information only.
cost: $(T)/inject_test_plain $(T)/libcupti_plain.so $(T)/libcupti_old.so
	@$(RUN) $< $(T)/libcupti_plain.so $(T)/libcupti_old.so $(BUILD)/libargus_cupti.so cost

inject-threads: $(if $(TSAN),$(T)/inject_test_tsan) $(T)/libcupti_tsan.so $(T)/libcupti_old_tsan.so
ifneq ($(TSAN),)
	@$(RUN) $< $(T)/libcupti_tsan.so $(T)/libcupti_old_tsan.so $(BUILD)/libargus_cupti.so --no-fork
else
	@echo "no thread sanitizer here: not run"
endif

$(T):
	@mkdir -p $@

$(T)/golden_test: tests/golden_test.c $(DEPENDS) | $(T)
	@$(COMPILE) $(ASAN) -o $@ $< src/ring.c

$(T)/ring_test: tests/ring_test.c tests/inspect.c $(DEPENDS) | $(T)
	@$(COMPILE) $(ASAN) -Wl,--wrap=posix_fallocate -o $@ $< tests/inspect.c src/ring.c src/names.c src/loss.c

$(T)/unit_test: tests/unit_test.c $(DEPENDS) | $(T)
	@$(COMPILE) $(ASAN) -o $@ $< $(filter-out src/inject.c src/worker.c src/attach.c,$(SRC)) -ldl

$(T)/convert_test: tests/convert_test.c tests/inspect.c $(DEPENDS) | $(T)
	@$(COMPILE) $(ASAN) -o $@ $< tests/inspect.c $(filter-out src/inject.c src/worker.c src/attach.c,$(SRC)) -ldl

INJECT := tests/inject_test.c $(wildcard tests/scenario*.c) tests/inspect.c

$(T)/inject_test: $(INJECT) $(DEPENDS) | $(T)
	@$(COMPILE) $(ASAN) -o $@ $(INJECT) $(SRC) -ldl

$(T)/inject_test_plain: $(INJECT) $(DEPENDS) | $(T)
	@$(COMPILE) -O2 -o $@ $(INJECT) $(SRC) -ldl

$(T)/libcupti_plain.so: tests/fake_cupti.c $(DEPENDS) | $(T)
	@$(COMPILE) -O2 -shared -fPIC -o $@ $<

$(T)/inject_test_tsan: $(INJECT) $(DEPENDS) | $(T)
	@$(COMPILE) $(TSAN) -o $@ $(INJECT) $(SRC) -ldl

$(T)/libcupti_fake.so: tests/fake_cupti.c $(DEPENDS) | $(T)
	@$(COMPILE) $(ASAN) -shared -fPIC -o $@ $<

$(T)/libcupti_old.so: tests/fake_cupti.c $(DEPENDS) | $(T)
	@$(COMPILE) $(ASAN) -DFAKE_OLD -shared -fPIC -o $@ $<

$(T)/libcupti_tsan.so: tests/fake_cupti.c $(DEPENDS) | $(T)
	@$(COMPILE) $(TSAN) -shared -fPIC -o $@ $<

$(T)/libcupti_old_tsan.so: tests/fake_cupti.c $(DEPENDS) | $(T)
	@$(COMPILE) $(TSAN) -DFAKE_OLD -shared -fPIC -o $@ $<
