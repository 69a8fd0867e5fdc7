#define _GNU_SOURCE
#include "filter.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 64, LINE_BYTES = 8192 };

/* Programs that start ranks and are none. */
static const char *const LAUNCHERS[] = {"torchrun", "accelerate", "deepspeed", "srun", "mpirun", "mpiexec", "mpiexec.hydra",
                                        "orterun", "prterun", "horovodrun", "composer", "slurmstepd", "pdsh", NULL};
/* The same as modules: python -m NAME. */
static const char *const LAUNCHER_MODULES[] = {"torch.distributed.run", "torch.distributed.launch",
                                               "torch.distributed.elastic.*", "accelerate.commands.*",
                                               "deepspeed.launcher.*", NULL};
/* Programs that compile. */
static const char *const COMPILERS[] = {"nvcc", "ptxas", "cicc", "cudafe++", "fatbinary", "nvlink", "nvdisasm", "cuobjdump",
                                        "gcc", "g++", "cc", "c++", "cc1", "cc1plus", "clang", "clang++", "ld", "as", "ninja",
                                        "make", "cmake", "ccache", NULL};
/* Helpers, by what their command line holds: compile workers of Inductor and Triton, and Python's own. */
static const char *const HELPERS[] = {"torch/_inductor/compile_worker", "torch._inductor.compile_worker",
                                      "triton/compiler", "multiprocessing.resource_tracker", "multiprocessing.forkserver",
                                      NULL};

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool among(const char *const *patterns, const char *text) {
    for (; *patterns != NULL; patterns++) {
        if (fnmatch(*patterns, text, 0) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_python(const char *base) { return strncmp(base, "python", 6) == 0 || strncmp(base, "pypy", 4) == 0; }

/*
 * What runs: the program, or the script or module that Python was given. module says which of the two; options of Python
 * that take a value of their own are -c, -m, -W and -X.
 */
static const char *what_runs(const char *const *argv, bool *module) {
    *module = false;
    if (argv[0] == NULL) {
        return "";
    }
    const char *base = base_of(argv[0]);
    if (!is_python(base)) {
        return base;
    }
    for (size_t i = 1; argv[i] != NULL; i++) {
        const char *word = argv[i];
        if (strcmp(word, "-m") == 0) {
            *module = true;
            return argv[i + 1] == NULL ? "" : argv[i + 1];
        }
        if (strcmp(word, "-c") == 0) {
            return base;
        }
        if ((strcmp(word, "-W") == 0 || strcmp(word, "-X") == 0) && argv[i + 1] != NULL) {
            i++;
        } else if (word[0] != '-') {
            return base_of(word);
        }
    }
    return base;
}

/* Whether one of the patterns, separated by commas, fits the program's name, what runs, or somewhere in the line. */
static bool listed(const char *patterns, const char *program, const char *runs, const char *line) {
    char one[256], anywhere[260];
    while (*patterns != '\0') {
        size_t length = strcspn(patterns, ",");
        snprintf(one, sizeof one, "%.*s", (int)length, patterns);
        snprintf(anywhere, sizeof anywhere, "*%s*", one);
        if (length > 0 && (fnmatch(one, program, 0) == 0 || fnmatch(one, runs, 0) == 0 || fnmatch(anywhere, line, 0) == 0)) {
            return true;
        }
        patterns += length + (patterns[length] == ',');
    }
    return false;
}

static void join(const char *const *argv, char *line, size_t bytes) {
    size_t at = 0;
    line[0] = '\0';
    for (size_t i = 0; argv[i] != NULL && at < bytes - 1; i++) {
        int more = snprintf(line + at, bytes - at, i == 0 ? "%s" : " %s", argv[i]);
        at += more < 0 ? 0 : (size_t)more;
    }
}

static bool no(char *why, size_t bytes, const char *what, const char *name) {
    snprintf(why, bytes, "%s%s", what, name);
    return false;
}

bool argus_filter(const argus_process *p, char *why, size_t bytes) {
    char line[LINE_BYTES];
    bool module;
    why[0] = '\0';
    const char *runs = what_runs(p->argv, &module);
    const char *program = p->argv[0] == NULL ? "" : base_of(p->argv[0]);
    join(p->argv, line, sizeof line);
    if (p->argus != NULL && strcmp(p->argus, "0") == 0) {
        return no(why, bytes, "ARGUS=0", "");
    }
    if (p->argus_cupti != NULL && strcmp(p->argus_cupti, "0") == 0) {
        return no(why, bytes, "ARGUS_CUPTI=0", "");
    }
    if (p->skip != NULL && listed(p->skip, program, runs, line)) {
        return no(why, bytes, "ARGUS_SKIP names ", runs);
    }
    if (p->only != NULL && *p->only != '\0') {
        /* Who names the processes means them, whatever they are called. */
        return listed(p->only, program, runs, line) || no(why, bytes, "ARGUS_ONLY does not name ", runs);
    }
    if (among(COMPILERS, program)) {
        return no(why, bytes, "a compiler: ", program);
    }
    for (const char *const *helper = HELPERS; *helper != NULL; helper++) {
        if (strstr(line, *helper) != NULL) {
            return no(why, bytes, "a helper: ", *helper);
        }
    }
    /* RANK alone does not make a rank: Kubernetes operators give it to the launcher, as the number of the node. */
    bool rank = p->local_rank != NULL && *p->local_rank != '\0';
    if (!rank && among(module ? LAUNCHER_MODULES : LAUNCHERS, runs)) {
        return no(why, bytes, "a launcher: ", runs);
    }
    return true;
}

bool argus_filter_self(char *why, size_t bytes) {
    static char line[LINE_BYTES];
    const char *argv[ARGUMENTS_MAX + 1] = {NULL};
    ssize_t length = 0;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        length = read(fd, line, sizeof line - 1);
        close(fd);
    }
    line[length < 0 ? 0 : length] = '\0';
    size_t count = 0;
    for (ssize_t at = 0; at < length && count < ARGUMENTS_MAX; at += (ssize_t)strlen(line + at) + 1) {
        argv[count++] = line + at;
    }
    argus_process self = {argv, getenv("ARGUS"), getenv("ARGUS_CUPTI"), getenv("ARGUS_ONLY"), getenv("ARGUS_SKIP"),
                          getenv("LOCAL_RANK")};
    return argus_filter(&self, why, bytes);
}
