#include "scenario.h"

#include <dlfcn.h>
#include <time.h>

char *folder;
const char *library; /* the built one */
ring_view view;

void (*emit)(const void *, size_t);
void (*complete)(size_t);
void (*complete_address)(uint8_t *, size_t, size_t);
uint8_t *(*request)(size_t *);
void (*other_takes)(void), (*other_leaves)(void), (*drop)(size_t), (*refuse)(uint32_t), (*flush_sleeps)(uint32_t);
uint64_t (*other_records)(void), (*flushes)(void), (*external)(void), (*timestamp)(void);
int (*enabled)(uint32_t), (*launch_calls)(void);

void bind_fake(const char *fake) {
    void *handle = dlopen(fake, RTLD_NOW | RTLD_GLOBAL);
    CHECK(handle != NULL);
#define BIND(name) *(void **)&name = dlsym(handle, "fake_" #name)
    BIND(emit);
    BIND(complete);
    BIND(complete_address);
    BIND(request);
    BIND(other_takes);
    BIND(other_leaves);
    BIND(other_records);
    BIND(drop);
    BIND(refuse);
    BIND(flush_sleeps);
    BIND(flushes);
    BIND(external);
    BIND(timestamp);
    BIND(enabled);
    BIND(launch_calls);
}

uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void sleep_millis(long millis) { nanosleep(&(struct timespec){millis / 1000, millis % 1000 * 1000000}, NULL); }

void kernels(const char *name, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t t = now();
        whole_kernel k = a_kernel(name, t, t + 10, (uint32_t)i + 1);
        emit(&k, sizeof k);
    }
}

void start(void) { CHECK_EQ(InitializeInjection(), 1); }

void open_ring(void) {
    const char *path = view_find(folder, PATIENCE);
    CHECK(path != NULL);
    view = view_open(path);
}

void start_with_kernels(void) {
    start();
    CHECK_EQ(argus_cupti_status(), 1);
    kernels("first", 3);
    open_ring();
    CHECK(view_await_count(&view, 1, 3, PATIENCE));
    CHECK_EQ(argus_cupti_status(), 2);
}

seen find(unsigned type, unsigned b1) {
    for (uint64_t p = view_written(&view); p-- > 0;) {
        seen s = view_record(&view, p);
        if (s.type == type && s.b1 == b1) {
            return s;
        }
    }
    fprintf(stderr, "no record of type %u, %u\n", type, b1);
    exit(1);
}

int await(int (*holds)(void)) {
    for (int i = 0; i < PATIENCE / 5; i++) {
        if (holds()) {
            return 1;
        }
        sleep_millis(5);
    }
    return 0;
}

/* Sum of all LOSS records of a reason. */
uint64_t told(unsigned reason) {
    uint64_t sum = 0;
    for (uint64_t p = 0; p < view_written(&view); p++) {
        seen s = view_record(&view, p);
        sum += s.type == 14 && s.b1 == reason ? s.q24 : 0;
    }
    return sum;
}

static uint64_t obeyed_wanted;
static int obeyed(void) { return view_obeyed(&view) == obeyed_wanted; }
void await_obeyed(uint64_t control) {
    obeyed_wanted = control;
    CHECK(await(obeyed));
}

int kernels_on(void) { return enabled(ARGUS_KIND_CONCURRENT_KERNEL); }
int kernels_off(void) { return !enabled(ARGUS_KIND_CONCURRENT_KERNEL) && !enabled(ARGUS_KIND_MEMCPY); }
