/* What the tests share: checks that say where and what, and a folder of their own. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                   \
            exit(1);                                                                                                  \
        }                                                                                                             \
    } while (0)

#define CHECK_EQ(actual, expected)                                                                                    \
    do {                                                                                                              \
        long long a_ = (long long)(actual), e_ = (long long)(expected);                                               \
        if (a_ != e_) {                                                                                               \
            fprintf(stderr, "%s:%d: %s is %lld, expected %lld (%s)\n", __FILE__, __LINE__, #actual, a_, e_, #expected); \
            exit(1);                                                                                                  \
        }                                                                                                             \
    } while (0)

#define CHECK_TEXT(actual, expected)                                                                                  \
    do {                                                                                                              \
        const char *a_ = (actual), *e_ = (expected);                                                                  \
        if (a_ == NULL || strcmp(a_, e_) != 0) {                                                                      \
            fprintf(stderr, "%s:%d: %s is \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #actual, a_, e_);           \
            exit(1);                                                                                                  \
        }                                                                                                             \
    } while (0)

/* A new folder with mode 0700, removed by test_folder_remove. */
static inline char *test_folder(void) {
    const char *base = getenv("TMPDIR");
    static char path[512];
    snprintf(path, sizeof path, "%s/argus-cupti-XXXXXX", base == NULL ? P_tmpdir : base);
    CHECK(mkdtemp(path) != NULL);
    return path;
}

static inline void test_folder_remove(const char *path) {
    char command[700];
    snprintf(command, sizeof command, "rm -rf -- '%s'", path);
    CHECK(system(command) == 0);
}

#endif
