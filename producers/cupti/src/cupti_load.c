#define _GNU_SOURCE
#include "cupti_load.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Newest first, as the driver loads us before we know what the program was built with. */
static const char *const NAMES[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so"};
static const char *const FOLDERS[] = {"lib64", "lib", "extras/CUPTI/lib64"};

typedef struct {
    char path[1024];
} found;

static int is_cupti(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    const char *base = strrchr(info->dlpi_name, '/');
    base = base == NULL ? info->dlpi_name : base + 1;
    if (strncmp(base, "libcupti.so", 11) != 0 || strlen(info->dlpi_name) >= sizeof((found *)data)->path) {
        return 0;
    }
    strcpy(((found *)data)->path, info->dlpi_name);
    return 1;
}

/*
 * PyTorch brings a CUPTI of its own and has loaded it before CUDA starts. A second one in the same process would be
 * another world: so that very file is taken.
 */
static void *open_library(const char *path) {
    if (path != NULL) {
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    found loaded = {""};
    if (dl_iterate_phdr(is_cupti, &loaded)) {
        return dlopen(loaded.path, RTLD_NOW | RTLD_LOCAL);
    }
    const char *home = getenv("CUDA_HOME");
    for (size_t f = 0; home != NULL && f < sizeof FOLDERS / sizeof *FOLDERS; f++) {
        char file[1024];
        snprintf(file, sizeof file, "%s/%s/libcupti.so", home, FOLDERS[f]);
        void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) {
            return library;
        }
    }
    for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; n++) {
        void *library = dlopen(NAMES[n], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) {
            return library;
        }
    }
    return dlopen("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so", RTLD_NOW | RTLD_LOCAL);
}

static void resolve(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

int argus_cupti_load(argus_cupti *api, const char *path, int any_version, char *problem, size_t problem_bytes) {
    memset(api, 0, sizeof *api);
    api->library = open_library(path);
    if (api->library == NULL) {
        snprintf(problem, problem_bytes, "libcupti is not found; ARGUS_CUPTI_LIB names it (%s)",
                 path == NULL ? "looked among the loaded libraries, in CUDA_HOME and where the linker looks" : path);
        return -1;
    }
    const char *missing = NULL;
#define F(name, parameters)                                                                                           \
    resolve(api->library, "cupti" #name, &api->name);                                                                 \
    missing = api->name == NULL ? "cupti" #name : missing;
    ARGUS_CUPTI_REQUIRED
#undef F
#define F(name, parameters) resolve(api->library, "cupti" #name, &api->name);
    ARGUS_CUPTI_OPTIONAL
#undef F
    if (missing != NULL) {
        snprintf(problem, problem_bytes, "libcupti has no %s: too old, or something else", missing);
        return -1;
    }
    if (api->GetVersion(&api->version) != ARGUS_CUPTI_SUCCESS) {
        snprintf(problem, problem_bytes, "libcupti does not tell its version");
        return -1;
    }
    int known = api->version >= ARGUS_CUPTI_VERSION_MIN && api->version <= ARGUS_CUPTI_VERSION_MAX;
    if (!known && !any_version) {
        snprintf(problem, problem_bytes,
                 "libcupti is of version %u; the records of 18 (CUDA 11.8) to 13.x are known. ARGUS_CUPTI_ANY_VERSION=1 tries it",
                 api->version);
        return -1;
    }
    return 0;
}

const char *argus_cupti_result(const argus_cupti *api, uint32_t result) {
    const char *text = NULL;
    if (api->GetResultString != NULL && api->GetResultString(result, &text) == ARGUS_CUPTI_SUCCESS && text != NULL) {
        return text;
    }
    return "no text";
}
