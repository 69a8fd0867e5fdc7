#define _GNU_SOURCE
#include "inspect.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static uint64_t q(const ring_view *v, size_t at) { return __atomic_load_n((uint64_t *)(void *)(v->map + at), __ATOMIC_ACQUIRE); }
static uint32_t w(const ring_view *v, size_t at) { return __atomic_load_n((uint32_t *)(void *)(v->map + at), __ATOMIC_ACQUIRE); }

static void nap(void) { nanosleep(&(struct timespec){0, 5000000}, NULL); }

ring_view view_open(const char *path) {
    ring_view v = {0};
    struct stat is;
    int fd = open(path, O_RDWR | O_NOFOLLOW);
    CHECK(fd >= 0);
    CHECK(fstat(fd, &is) == 0);
    CHECK_EQ(is.st_mode & 0777, 0600);
    v.bytes = (size_t)is.st_size;
    v.map = mmap(NULL, v.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(v.map != MAP_FAILED);
    close(fd);
    CHECK(memcmp(v.map, "ARGUSRNG", 8) == 0);
    CHECK_EQ(w(&v, 8), 1);
    CHECK_EQ(w(&v, 12), 4096);
    CHECK_EQ(w(&v, 16), 32);
    v.capacity = q(&v, 24);
    CHECK_EQ(v.bytes, 4096 + 32 * v.capacity);
    return v;
}

void view_close(ring_view *v) { munmap(v->map, v->bytes); }

const char *view_find(const char *folder, int millis) {
    static char path[1024];
    for (int waited = 0;; waited += 5) {
        int found = 0;
        DIR *dir = opendir(folder);
        for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
            size_t length = strlen(e->d_name);
            if (e->d_name[0] != '.' && length > 5 && strcmp(e->d_name + length - 5, ".ring") == 0) {
                snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
                found++;
            }
        }
        if (dir != NULL) {
            closedir(dir);
        }
        CHECK(found <= 1);
        if (found == 1) {
            return path;
        }
        if (waited >= millis) {
            return NULL;
        }
        nap();
    }
}

uint64_t view_written(const ring_view *v) { return q(v, 128); }
uint64_t view_read(const ring_view *v) { return q(v, 256); }
uint64_t view_heartbeat(const ring_view *v) { return q(v, 136); }
uint64_t view_obeyed(const ring_view *v) { return q(v, 144); }
uint64_t view_control_now(const ring_view *v) { return q(v, 280); }
uint32_t view_state(const ring_view *v) { return w(v, 152); }
uint32_t view_why(const ring_view *v) { return w(v, 156); }
uint32_t view_clock(const ring_view *v) { return w(v, 44); }
int32_t view_rank(const ring_view *v) { return (int32_t)w(v, 56); }
uint64_t view_dropped(const ring_view *v, unsigned reason) { return q(v, 160 + 8 * reason); }

void view_take(ring_view *v, uint64_t up_to) {
    __atomic_store_n((uint64_t *)(void *)(v->map + 256), up_to, __ATOMIC_RELEASE);
}

void view_control(ring_view *v, uint64_t control) {
    __atomic_store_n((uint64_t *)(void *)(v->map + 280), control, __ATOMIC_RELEASE);
}

seen view_record(const ring_view *v, uint64_t position) {
    seen s;
    memcpy(s.bytes, v->map + 4096 + 32 * (position & (v->capacity - 1)), 32);
    s.type = s.bytes[0];
    s.b1 = s.bytes[1];
    s.b2 = s.bytes[2];
    s.b3 = s.bytes[3];
    memcpy(&s.h2, s.bytes + 2, 2);
    memcpy(&s.w4, s.bytes + 4, 4);
    memcpy(&s.q8, s.bytes + 8, 8);
    memcpy(&s.q16, s.bytes + 16, 8);
    memcpy(&s.q24, s.bytes + 24, 8);
    memcpy(&s.w24, s.bytes + 24, 4);
    memcpy(&s.w28, s.bytes + 28, 4);
    memcpy(&s.f28, s.bytes + 28, 4);
    s.duration = s.q16 & ((UINT64_C(1) << 40) - 1);
    s.lane = (uint32_t)(s.q16 >> 40);
    return s;
}

uint64_t view_count(const ring_view *v, unsigned type, uint64_t from, uint64_t to) {
    uint64_t count = 0;
    for (uint64_t p = from; p < to; p++) {
        uint8_t t = view_record(v, p).type;
        CHECK(t >= 1 && t <= 15);
        count += t == type;
    }
    return count;
}

const char *view_text(const ring_view *v, uint32_t id, uint64_t before) {
    static char text[5000];
    uint64_t first = before > v->capacity ? before - v->capacity : 0;
    for (uint64_t p = before; p-- > first;) {
        seen s = view_record(v, p);
        if (s.type != 11 || s.w4 != id) {
            continue;
        }
        CHECK(s.h2 <= 4096);
        for (unsigned part = 0; part * 24 < s.h2; part++) {
            seen piece = view_record(v, p + part);
            CHECK_EQ(piece.type, part == 0 ? 11 : 12);
            CHECK_EQ(piece.w4, id);
            CHECK(part == 0 || piece.h2 == part);
            memcpy(text + 24 * part, piece.bytes + 8, 24);
        }
        text[s.h2] = '\0';
        return text;
    }
    return NULL;
}

int view_await_count(const ring_view *v, unsigned type, uint64_t count, int millis) {
    for (int waited = 0;; waited += 5) {
        uint64_t to = view_written(v);
        if (view_count(v, type, to > v->capacity ? to - v->capacity : 0, to) >= count) {
            return 1;
        }
        if (waited >= millis) {
            return 0;
        }
        nap();
    }
}

int view_await_state(const ring_view *v, uint32_t state, uint32_t why, int millis) {
    for (int waited = 0; view_state(v) != state || view_why(v) != why; waited += 5) {
        if (waited >= millis) {
            return 0;
        }
        nap();
    }
    return 1;
}
