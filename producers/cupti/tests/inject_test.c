/*
 * The whole library in a process, with the stand-in for CUPTI. Each scenario is a process of its own: the library starts
 * once in a process. Arguments: the stand-in, the stand-in of an old CUPTI, the built library; a scenario's name runs only that.
 */
#include "scenario.h"

#include <signal.h>
#include <sys/wait.h>

static const struct {
    const char *name;
    void (*run)(void);
    int old, alone; /* with the old stand-in; not under the thread sanitizer, since it forks with threads */
} SCENARIOS[] = {
    {"events", scenario_events, 0, 0}, {"forbidden", scenario_forbidden, 0, 0}, {"old", scenario_old, 1, 0}, {"old-all-calls", scenario_old_all_calls, 1, 0},
    {"no-buffer", scenario_no_buffer, 0, 0}, {"takeover", scenario_takeover, 0, 0}, {"retaken", scenario_retaken, 0, 0}, {"settled", scenario_settled, 0, 0}, {"paused", scenario_paused, 0, 0},
    {"paused-early", scenario_paused_early, 0, 0},
    {"sampled", scenario_sampled, 0, 0}, {"refused", scenario_refused, 0, 0}, {"refused-later", scenario_refused_later, 0, 0},
    {"filtered", scenario_filtered, 0, 0}, {"unknown-version", scenario_unknown_version, 0, 0}, {"unused", scenario_unused, 0, 0},
    {"bad-folder", scenario_bad_folder, 0, 0}, {"forked", scenario_forked, 0, 1}, {"lies", scenario_lies, 0, 0}, {"threads", scenario_threads, 0, 0},
    {"thread-manners", scenario_thread_manners, 0, 0}, {"exits", scenario_exits, 0, 1}, {"exits-bounded", scenario_exits_bounded, 0, 1},
    {"killed", scenario_killed, 0, 1}, {"harmless", scenario_harmless, 0, 1}, {"real-cupti", scenario_real_cupti, 0, 1}, {"cost", scenario_cost, 0, 0},
};
enum { SCENARIO_COUNT = sizeof SCENARIOS / sizeof *SCENARIOS };

/* Whatever the environment says of ranks and of Argus is none of the scenario's. */
static void clean_environment(void) {
    extern char **environ;
    char name[128];
    for (size_t i = 0; environ[i] != NULL;) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(environ[i], "="), environ[i]);
        bool ours = strncmp(name, "ARGUS", 5) == 0 || strncmp(name, "SLURM_", 6) == 0 || strncmp(name, "OMPI_", 5) == 0
                    || strncmp(name, "PMI_", 4) == 0 || strcmp(name, "RANK") == 0 || strcmp(name, "WORLD_SIZE") == 0
                    || strcmp(name, "LOCAL_RANK") == 0 || strcmp(name, "TORCHELASTIC_RUN_ID") == 0;
        if (!ours || unsetenv(name) != 0) {
            i++;
        }
    }
}

static int run_one(size_t i, char **arguments) {
    clean_environment();
    folder = test_folder();
    library = arguments[3];
    setenv("ARGUS_RING_DIR", folder, 1);
    setenv("ARGUS_CUPTI_FLUSH_MS", "10", 1);
    setenv("ARGUS_CUPTI_LIB", arguments[SCENARIOS[i].old ? 2 : 1], 1);
    bind_fake(arguments[SCENARIOS[i].old ? 2 : 1]);
    SCENARIOS[i].run();
    test_folder_remove(folder);
    return 0;
}

int main(int count, char **arguments) {
    CHECK(count >= 4);
    int failures = 0, ran = 0;
    char base[512];
    snprintf(base, sizeof base, "%s", count > 4 && arguments[4][0] != '-' ? "" : test_folder());
    if (base[0] != '\0') {
        setenv("TMPDIR", base, 1); /* so that a scenario that fails leaves nothing behind either */
    }
    for (size_t i = 0; i < SCENARIO_COUNT; i++) {
        if (count > 4 && strcmp(arguments[4], "--no-fork") != 0) {
            if (strcmp(arguments[4], SCENARIOS[i].name) == 0) {
                return run_one(i, arguments);
            }
            continue;
        }
        if (count > 4 && SCENARIOS[i].alone) {
            continue;
        }
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            alarm(120); /* against a hang */
            if (SCENARIOS[i].alone) {
                setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* its search for leaks stumbles over children that end midway */
            }
            execl("/proc/self/exe", arguments[0], arguments[1], arguments[2], arguments[3], SCENARIOS[i].name, (char *)NULL);
            _exit(127);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child);
        ran++;
        if (status != 0) {
            fprintf(stderr, "inject: %s FAILED (%s %d)\n", SCENARIOS[i].name, WIFSIGNALED(status) ? "signal" : "status",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            failures++;
        }
    }
    test_folder_remove(base);
    printf("inject: %d of %d scenarios ok\n", ran - failures, ran);
    return failures != 0;
}
