#define _GNU_SOURCE
#include "ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Offsets in the header; the picture is in docs/design/0008-ring.md. */
enum {
    AT_MAGIC = 0,
    AT_MAJOR = 8,
    AT_MINOR = 10,
    AT_HEADER_BYTES = 12,
    AT_RECORD_BYTES = 16,
    AT_PRODUCER = 20,
    AT_CAPACITY = 24,
    AT_SESSION = 32,
    AT_PID = 40,
    AT_CLOCK = 44,
    AT_START_TICKS = 48,
    AT_RANK = 56,
    AT_LOCAL_RANK = 60,
    AT_WORLD_SIZE = 64,
    AT_NAMESPACE = 72,
    AT_WRITE = 128,
    AT_HEARTBEAT = 136,
    AT_OBEYED = 144,
    AT_STATE = 152,
    AT_WHY = 156,
    AT_DROPPED = 160,
    AT_READ = 256,
    AT_CONTROL = 280,
};

static uint64_t *word(const argus_ring *ring, size_t at) { return (uint64_t *)(void *)(ring->map + at); }
static uint32_t *half(const argus_ring *ring, size_t at) { return (uint32_t *)(void *)(ring->map + at); }

static void store64(const argus_ring *ring, size_t at, uint64_t value) {
    __atomic_store_n(word(ring, at), value, __ATOMIC_RELAXED);
}

static void write_header(const argus_ring *ring, const argus_ring_header *h) {
    unsigned char *m = ring->map;
    const uint16_t major = 1;
    const uint32_t header_bytes = ARGUS_HEADER_BYTES, record_bytes = ARGUS_RECORD_BYTES, running = ARGUS_RUNNING;
    memcpy(m + AT_MAGIC, "ARGUSRNG", 8);
    memcpy(m + AT_MAJOR, &major, 2);
    memcpy(m + AT_HEADER_BYTES, &header_bytes, 4);
    memcpy(m + AT_RECORD_BYTES, &record_bytes, 4);
    memcpy(m + AT_PRODUCER, &h->producer, 4);
    memcpy(m + AT_CAPACITY, &h->capacity, 8);
    memcpy(m + AT_SESSION, &h->session, 8);
    memcpy(m + AT_PID, &h->pid, 4);
    memcpy(m + AT_CLOCK, &h->clock, 4);
    memcpy(m + AT_START_TICKS, &h->start_ticks, 8);
    memcpy(m + AT_RANK, &h->rank, 4);
    memcpy(m + AT_LOCAL_RANK, &h->local_rank, 4);
    memcpy(m + AT_WORLD_SIZE, &h->world_size, 4);
    memcpy(m + AT_NAMESPACE, &h->pid_namespace, 8);
    memcpy(m + AT_OBEYED, &h->control, 8);
    memcpy(m + AT_STATE, &running, 4);
    memcpy(m + AT_CONTROL, &h->control, 8);
}

static int fail(char *problem, size_t bytes, const char *what, const char *path, int error) {
    snprintf(problem, bytes, "%s %s: %s", what, path, strerror(error));
    return -1;
}

/*
 * {@return a descriptor of the folder, checked through the descriptor so that nobody can exchange it in between, or -1}
 */
static int open_folder(const char *dir, char *problem, size_t bytes) {
    if (mkdir(dir, 0700) != 0 && errno != EEXIST) {
        return fail(problem, bytes, "cannot make the folder of rings", dir, errno);
    }
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return fail(problem, bytes, "cannot open the folder of rings (a link is not followed)", dir, errno);
    }
    struct stat is;
    const char *wrong = NULL;
    if (fstat(fd, &is) != 0) {
        wrong = "cannot be looked at";
    } else if (is.st_uid != geteuid()) {
        wrong = "belongs to another user";
    } else if (is.st_mode & 077) {
        wrong = "is open to others; it must have mode 0700";
    }
    if (wrong != NULL) {
        snprintf(problem, bytes, "the folder of rings %s %s", dir, wrong);
        close(fd);
        return -1;
    }
    return fd;
}

/* Makes, reserves, maps and names the file inside the folder. */
static int make_file(argus_ring *ring, int folder, const char *name, const argus_ring_header *h, char *problem,
                     size_t bytes) {
    char hidden[256];
    snprintf(hidden, sizeof hidden, ".%s", name);
    /* What a dead process of this very name left unfinished: no living one has our pid and start time. */
    unlinkat(folder, hidden, 0);
    int fd = openat(folder, hidden, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        return fail(problem, bytes, "cannot make the ring", ring->path, errno);
    }
    /* Reserved now: a store into a hole of a full /dev/shm would be a SIGBUS in the training process later. */
    int error = posix_fallocate(fd, 0, (off_t)ring->map_bytes);
    void *map = MAP_FAILED;
    if (error == 0) {
        map = mmap(NULL, ring->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        error = map == MAP_FAILED ? errno : 0;
    }
    close(fd);
    if (error == 0) {
        ring->map = map;
        write_header(ring, h);
        if (renameat(folder, hidden, folder, name) == 0) {
            return 0;
        }
        error = errno;
        munmap(map, ring->map_bytes);
        ring->map = NULL;
    }
    unlinkat(folder, hidden, 0);
    return fail(problem, bytes, "cannot reserve the space of the ring", ring->path, error);
}

int argus_ring_create(argus_ring *ring, const char *dir, const char *name, const argus_ring_header *header,
                      char *problem, size_t problem_bytes) {
    memset(ring, 0, sizeof *ring);
    uint64_t capacity = header->capacity;
    if (capacity < ARGUS_CAPACITY_MIN || capacity > ARGUS_CAPACITY_MAX || (capacity & (capacity - 1)) != 0) {
        snprintf(problem, problem_bytes, "a ring holds a power of two of records from 1024 to 67108864, not %llu",
                 (unsigned long long)capacity);
        return -1;
    }
    char file[128];
    snprintf(file, sizeof file, "%u-%llu.%s.ring", header->pid, (unsigned long long)header->start_ticks, name);
    int length = snprintf(ring->path, sizeof ring->path, "%s/%s", dir, file);
    if (length < 0 || (size_t)length >= sizeof ring->path) {
        snprintf(problem, problem_bytes, "the path of the folder of rings is too long");
        return -1;
    }
    int folder = open_folder(dir, problem, problem_bytes);
    if (folder < 0) {
        return -1;
    }
    ring->capacity = capacity;
    ring->map_bytes = ARGUS_HEADER_BYTES + ARGUS_RECORD_BYTES * (size_t)capacity;
    int made = make_file(ring, folder, file, header, problem, problem_bytes);
    close(folder);
    return made;
}

void argus_ring_unmap(argus_ring *ring) {
    if (ring->map != NULL) {
        munmap(ring->map, ring->map_bytes);
        ring->map = NULL;
    }
}

/* The reader's position is whatever somebody wrote there: nonsense counts as full. */
static uint64_t room_by(const argus_ring *ring, uint64_t read) {
    uint64_t used = ring->write - read;
    return used > ring->capacity ? 0 : ring->capacity - used;
}

uint64_t argus_ring_room(argus_ring *ring) {
    ring->read_known = __atomic_load_n(word(ring, AT_READ), __ATOMIC_ACQUIRE);
    return room_by(ring, ring->read_known);
}

bool argus_ring_write(argus_ring *ring, const argus_record *records, size_t count) {
    if (room_by(ring, ring->read_known) < count && argus_ring_room(ring) < count) {
        ring->refused++;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t slot = (ring->write + i) & (ring->capacity - 1);
        memcpy(ring->map + ARGUS_HEADER_BYTES + slot * ARGUS_RECORD_BYTES, &records[i], ARGUS_RECORD_BYTES);
    }
    ring->write += count;
    __atomic_store_n(word(ring, AT_WRITE), ring->write, __ATOMIC_RELEASE);
    return true;
}

uint64_t argus_ring_control(const argus_ring *ring) {
    return __atomic_load_n(word(ring, AT_CONTROL), __ATOMIC_ACQUIRE);
}

void argus_ring_obeyed(argus_ring *ring, uint64_t control) { store64(ring, AT_OBEYED, control); }

void argus_ring_heartbeat(argus_ring *ring, uint64_t monotonic_nanos) { store64(ring, AT_HEARTBEAT, monotonic_nanos); }

void argus_ring_state(argus_ring *ring, enum argus_state state, enum argus_why_off why) {
    /* The reason first: who sees "off" sees why. */
    __atomic_store_n(half(ring, AT_WHY), (uint32_t)why, __ATOMIC_RELAXED);
    __atomic_store_n(half(ring, AT_STATE), (uint32_t)state, __ATOMIC_RELEASE);
}

void argus_ring_dropped(argus_ring *ring, enum argus_loss reason, uint64_t more) {
    uint64_t *count = word(ring, AT_DROPPED + 8 * (size_t)reason);
    __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + more, __ATOMIC_RELAXED);
}

uint64_t argus_fnv1a(const char *text, size_t length) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Text in two pieces, so that a cut name needs no buffer of its own. */
static char text_at(const char *head, size_t head_bytes, const char *tail, size_t at) {
    return at < head_bytes ? head[at] : tail[at - head_bytes];
}

size_t argus_string_records(argus_record *records, uint32_t id, const char *text, size_t length) {
    char tail[24] = "";
    size_t head = length, total = length;
    if (length > ARGUS_STRING_BYTES_MAX) {
        int tail_bytes = snprintf(tail, sizeof tail, "\xe2\x80\xa6#%016llx", (unsigned long long)argus_fnv1a(text, length));
        head = ARGUS_STRING_BYTES_MAX - (size_t)tail_bytes;
        size_t lowest = head - 3; /* a character has at most 3 bytes that continue it; text may be anything */
        while (head > lowest && ((unsigned char)text[head] & 0xc0) == 0x80) {
            head--; /* not inside a character */
        }
        total = head + (size_t)tail_bytes;
    }
    size_t count = 1;
    for (size_t at = 0; at < total || at == 0; at += ARGUS_STRING_PART, count++) {
        argus_record r = argus_blank(at == 0 ? ARGUS_STRING : ARGUS_STRING_MORE);
        argus_put16(&r, 2, (uint16_t)(at == 0 ? total : count - 1));
        argus_put32(&r, 4, id);
        size_t part = total - at < ARGUS_STRING_PART ? total - at : ARGUS_STRING_PART;
        if (at + part <= head) {
            memcpy(r.bytes + 8, text + at, part);
        } else {
            for (size_t i = 0; i < part; i++) {
                r.bytes[8 + i] = (unsigned char)text_at(text, head, tail, at + i);
            }
        }
        records[count - 1] = r;
    }
    return count - 1;
}
