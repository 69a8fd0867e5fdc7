/* Forks, ends and kills of the process, and the library where it has nothing to do. */
#include "scenario.h"

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* After fork the child writes nothing, and its end is not the parent's. */
SCENARIO(forked) {
    start_with_kernels();
    pid_t child = fork();
    if (child == 0) {
        size_t size = 1;
        CHECK_EQ(argus_cupti_status(), 0);
        CHECK(request(&size) == NULL && size == 0);
        complete_address((uint8_t *)&size, 8, 8);
        argus_cupti_step(5);
        argus_cupti_pause();
        argus_cupti_resume();
        InitializeInjection();
        exit(0); /* with all that runs at the end */
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_EQ(view_state(&view), 1);
    kernels("after", 2);
    CHECK(view_await_count(&view, 1, 5, PATIENCE));
}

/* The converter is a quiet thread: low priority, no signals. */
SCENARIO(thread_manners) {
    int usual = getpriority(PRIO_PROCESS, 0);
    start_with_kernels();
    int found = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *e; (e = readdir(tasks)) != NULL;) {
        char path[300], line[256];
        int ours = 0;
        unsigned long long blocked = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", e->d_name);
        FILE *file = fopen(path, "r");
        while (file != NULL && fgets(line, sizeof line, file) != NULL) {
            ours |= strcmp(line, "Name:\targus-cupti\n") == 0;
            sscanf(line, "SigBlk:\t%llx", &blocked);
        }
        if (file != NULL) {
            fclose(file);
        }
        if (ours) {
            found++;
            CHECK_EQ(getpriority(PRIO_PROCESS, (id_t)atoi(e->d_name)), 19);
            CHECK((blocked >> (SIGTERM - 1) & 1) && (blocked >> (SIGXFSZ - 1) & 1) && (blocked >> (SIGPROF - 1) & 1));
        }
    }
    closedir(tasks);
    CHECK_EQ(found, 1);
    CHECK_EQ(getpriority(PRIO_PROCESS, 0), usual);
}

/* Ends in order: the rest is written, and the ring says closed. */
SCENARIO(exits) {
    setenv("ARGUS_CUPTI_FLUSH_MS", "60000", 1);
    pid_t child = fork();
    if (child == 0) {
        start();
        kernels("last words", 1234);
        while (argus_cupti_status() != 2) {
            sleep_millis(1);
        }
        exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    open_ring();
    CHECK_EQ(view_state(&view), 3);
    CHECK_EQ(view_count(&view, 1, 0, view_written(&view)), 1234);
}

/* A driver that hangs at the end does not hold up the process. The 30 seconds are a hang, not a measure. */
SCENARIO(exits_bounded) {
    setenv("ARGUS_CUPTI_EXIT_MS", "100", 1);
    pid_t child = fork();
    if (child == 0) {
        start_with_kernels();
        flush_sleeps(30000);
        sleep_millis(100);
        exit(0);
    }
    uint64_t begin = now();
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(now() - begin < UINT64_C(20) * 1000000000);
    open_ring();
    CHECK_EQ(view_state(&view), 1); /* not in order, and it does not say so */
}

/* kill -9 at any moment: what is published is whole. */
SCENARIO(killed) {
    for (int round = 0; round < 10; round++) {
        pid_t child = fork();
        if (child == 0) {
            static char names[100][64];
            for (int i = 0; i < 100; i++) {
                snprintf(names[i], sizeof names[i], "a name long enough for several records, number %d", i);
            }
            start();
            for (uint32_t i = 0;; i++) {
                whole_kernel k = a_kernel(names[i % 100], 1000 + i, 1000 + i + 7, i);
                emit(&k, sizeof k);
                if (i % 1000 == 999) {
                    sleep_millis(1);
                }
            }
        }
        open_ring();
        CHECK(view_await_count(&view, 1, 100, PATIENCE));
        for (int i = 0; i < 20 + 3 * round; i++) { /* an agent reads meanwhile, so the ring goes round */
            view_take(&view, view_written(&view));
            sleep_millis(2);
        }
        kill(child, SIGKILL);
        int status;
        CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
        uint64_t to = view_written(&view), from = to > view.capacity ? to - view.capacity : 0, part = 0, whole = 0;
        for (uint64_t p = from; p < to; p++) {
            seen s = view_record(&view, p);
            CHECK(s.type >= 1 && s.type <= 14);
            CHECK(s.type != 1 || (s.duration == 7 && s.q8 == 1000 + s.w24));
            if (s.type == 11) {
                part = (uint64_t)(s.h2 + 23) / 24 - 1;
            } else if (s.type == 12) {
                CHECK(part > 0 || p < from + 3);
                part -= part > 0;
                whole++;
            } else {
                CHECK_EQ(part, 0);
            }
        }
        CHECK_EQ(part, 0);
        (void)whole;
        char path[1024];
        snprintf(path, sizeof path, "%s", view_find(folder, 0));
        view_close(&view);
        CHECK(unlink(path) == 0);
    }
}

static int finds(const char *const *argv, const char *preload) {
    pid_t child = fork();
    if (child == 0) {
        setenv(preload, library, 1);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Preloaded, or named for injection, in programs without CUDA: nothing happens. */
SCENARIO(harmless) {
    CHECK_EQ(finds((const char *const[]){"/bin/sh", "-c", "exit 7", NULL}, "LD_PRELOAD"), 7);
    CHECK_EQ(finds((const char *const[]){"/bin/sh", "-c", "exit 7", NULL}, "CUDA_INJECTION64_PATH"), 7);
    void *handle = dlopen(library, RTLD_NOW);
    CHECK(handle != NULL);
    int (*status)(void), (*inject)(void);
    void (*step)(int64_t);
    *(void **)&status = dlsym(handle, "argus_cupti_status");
    *(void **)&step = dlsym(handle, "argus_cupti_step");
    *(void **)&inject = dlsym(handle, "InitializeInjection");
    CHECK(dlsym(handle, "argus_pool_take") == NULL); /* nothing else is seen from outside */
    step(1);
    CHECK_EQ(status(), 0);
    setenv("ARGUS_CUPTI_LIB", "/nowhere/libcupti.so", 1);
    CHECK_EQ(inject(), 1);
    CHECK_EQ(status(), 0);
    dlclose(handle);
    CHECK(view_find(folder, 0) == NULL);
}

/* The real libcupti without a GPU refuses, and that is all. */
SCENARIO(real_cupti) {
    const char *real = getenv("TEST_REAL_CUPTI");
    setenv("ARGUS_CUPTI_LIB", real == NULL ? "/nowhere" : real, 1);
    start();
    sleep_millis(100);
    CHECK(view_find(folder, 0) == NULL);
    argus_cupti_push_external(3);
    argus_cupti_pop_external();
}
