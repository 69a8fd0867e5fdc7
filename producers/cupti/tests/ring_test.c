/* The ring: folders that must be refused, no space, full and nonsensical readers, strings, and what a reader reads back. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "../src/loss.h"
#include "../src/names.h"
#include "check.h"
#include "inspect.h"

static int fallocate_error;

/* Linked with --wrap: what a full /dev/shm says. */
int __real_posix_fallocate(int fd, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int fd, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int fd, off_t offset, off_t bytes) {
    return fallocate_error != 0 ? fallocate_error : __real_posix_fallocate(fd, offset, bytes);
}

static char problem[1200];

static argus_ring_header header(uint64_t capacity) {
    return (argus_ring_header){.producer = 1, .clock = 2, .capacity = capacity, .session = 7, .pid = 4711,
                               .start_ticks = 99, .rank = 3, .local_rank = -1, .world_size = -1, .control = 0xffff};
}

static int create(argus_ring *ring, const char *folder, uint64_t capacity) {
    argus_ring_header h = header(capacity);
    problem[0] = '\0';
    return argus_ring_create(ring, folder, "cupti", &h, problem, sizeof problem);
}

static void refuses(const char *folder, const char *because) {
    argus_ring ring;
    CHECK_EQ(create(&ring, folder, 1024), -1);
    CHECK(strstr(problem, because) != NULL);
    CHECK(ring.map == NULL);
}

static int files_in(const char *folder) {
    char command[700];
    snprintf(command, sizeof command, "test -z \"$(ls -A '%s')\"", folder);
    return system(command) != 0;
}

static void folders(const char *base) {
    char path[600], link_to[600];
    argus_ring ring;

    snprintf(path, sizeof path, "%s/new", base);
    CHECK_EQ(create(&ring, path, 1024), 0);
    struct stat is;
    CHECK(stat(path, &is) == 0);
    CHECK_EQ(is.st_mode & 07777, 0700);
    CHECK(strstr(ring.path, "/4711-99.cupti.ring") != NULL);
    ring_view view = view_open(ring.path);
    CHECK_EQ(view_state(&view), 1);
    CHECK_EQ(view_control_now(&view), 0xffff);
    CHECK_EQ(view_obeyed(&view), 0xffff);
    CHECK_EQ(view_rank(&view), 3);
    view_close(&view);
    argus_ring_unmap(&ring);

    CHECK(chmod(path, 0750) == 0);
    refuses(path, "open to others");
    CHECK(chmod(path, 0700) == 0);

    snprintf(link_to, sizeof link_to, "%s/link", base);
    CHECK(symlink(path, link_to) == 0);
    refuses(link_to, "a link is not followed");

    snprintf(path, sizeof path, "%s/file", base);
    close(open(path, O_CREAT | O_WRONLY, 0700));
    refuses(path, "cannot open");

    snprintf(path, sizeof path, "%s/no/such", base);
    refuses(path, "cannot make the folder");

    if (geteuid() == 0) { /* only root can give a folder away */
        snprintf(path, sizeof path, "%s/foreign", base);
        CHECK(mkdir(path, 0700) == 0 && chown(path, 12345, 12345) == 0);
        refuses(path, "belongs to another user");
    }

    /* A link in the place of the file to be made: it is removed, not followed. */
    char target[600], hidden[700];
    snprintf(path, sizeof path, "%s/trap", base);
    snprintf(target, sizeof target, "%s/precious", base);
    CHECK(mkdir(path, 0700) == 0);
    close(open(target, O_CREAT | O_WRONLY, 0600));
    snprintf(hidden, sizeof hidden, "%s/.4711-99.cupti.ring", path);
    CHECK(symlink(target, hidden) == 0);
    CHECK_EQ(create(&ring, path, 1024), 0);
    CHECK(stat(target, &is) == 0 && is.st_size == 0);
    argus_ring_unmap(&ring);

    char *long_path = malloc(3000);
    memset(long_path, 'x', 2999);
    long_path[2999] = '\0';
    refuses(long_path, "too long");
    free(long_path);
    CHECK_EQ(create(&ring, base, 1000), -1);
    CHECK_EQ(create(&ring, base, 512), -1);
    CHECK_EQ(create(&ring, base, UINT64_C(1) << 27), -1);
}

static void no_space(const char *base) {
    char path[600];
    snprintf(path, sizeof path, "%s/full", base);
    fallocate_error = ENOSPC;
    refuses(path, "No space left");
    CHECK(!files_in(path));
    fallocate_error = 0;

    /* The real thing, by a limit on files; in a thread that blocks signals, as the converter does. */
    pid_t child = fork();
    if (child == 0) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        struct rlimit least = {8192, 8192};
        setrlimit(RLIMIT_FSIZE, &least);
        argus_ring ring;
        _exit(create(&ring, path, 1024) == -1 && strstr(problem, "File too large") != NULL && !files_in(path) ? 0 : 1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void full(const char *base) {
    argus_ring ring;
    char path[600];
    snprintf(path, sizeof path, "%s/f", base);
    CHECK_EQ(create(&ring, path, 1024), 0);
    ring_view view = view_open(ring.path);
    argus_losses losses = {0};
    uint64_t refused = 0;
    for (int i = 0; i < 1500; i++) {
        argus_record r = argus_kernel(0, 0, 0, 1000 + (uint64_t)i, 5, 7, (uint32_t)i, 1);
        if (!argus_ring_write(&ring, &r, 1)) {
            argus_lose(&losses, &ring, ARGUS_LOSS_RING_FULL, 1, 1000 + (uint64_t)i, 1000 + (uint64_t)i);
            refused++;
        }
    }
    CHECK_EQ(refused, 476);
    CHECK_EQ(view_written(&view), 1024);
    CHECK_EQ(view_dropped(&view, 0), 476);
    CHECK(!argus_losses_tell(&losses, &ring));

    /* The reader takes 10: a piece of 11 does not fit and is not torn, then the gap is told. */
    view_take(&view, 10);
    argus_record piece[11];
    for (int i = 0; i < 11; i++) {
        piece[i] = argus_clock_record(1, 2, 3);
    }
    CHECK(!argus_ring_write(&ring, piece, 11));
    CHECK_EQ(view_written(&view), 1024);
    CHECK(argus_losses_tell(&losses, &ring));
    CHECK(!argus_losses_tell(&losses, &ring));
    seen loss = view_record(&view, 1024);
    CHECK_EQ(loss.type, 14);
    CHECK_EQ(loss.b1, 0);
    CHECK_EQ(loss.q8, 2024);
    CHECK_EQ(loss.q16, 2499);
    CHECK_EQ(loss.q24, 476);

    /* Positions that cannot be: full, never an overrun. */
    uint64_t nonsense[] = {UINT64_MAX, 1026, UINT64_C(1) << 63, 0};
    for (size_t i = 0; i < 4; i++) {
        view_take(&view, nonsense[i]);
        CHECK_EQ(argus_ring_room(&ring), 0);
    }
    CHECK(!argus_ring_write(&ring, piece, 11));
    view_take(&view, 1025);
    CHECK_EQ(argus_ring_room(&ring), 1024);
    CHECK(argus_ring_write(&ring, piece, 11));
    view_close(&view);
    argus_ring_unmap(&ring);
}

static void names(const char *base) {
    argus_ring ring;
    argus_names table;
    char path[600];
    snprintf(path, sizeof path, "%s/n", base);
    CHECK_EQ(create(&ring, path, 1 << 14), 0);
    ring_view view = view_open(ring.path);
    CHECK_EQ(argus_names_init(&table, 64), 0);
    uint32_t a, b, id;
    CHECK_EQ(argus_name(&table, &ring, "gemm", &a), ARGUS_NAME_OK);
    CHECK_EQ(argus_name(&table, &ring, "gemm2", &b), ARGUS_NAME_OK);
    CHECK(a != b && a != 0 && b != 0);
    uint64_t written = view_written(&view);
    CHECK_EQ(argus_name(&table, &ring, "gemm", &id), ARGUS_NAME_OK);
    CHECK_EQ(id, a);
    CHECK_EQ(view_written(&view), written);
    CHECK_TEXT(view_text(&view, b, written), "gemm2");
    CHECK_EQ(argus_name(&table, &ring, NULL, &id), ARGUS_NAME_OK);
    CHECK_EQ(id, 0);
    CHECK_EQ(argus_name(&table, &ring, "", &id), ARGUS_NAME_OK);
    CHECK_EQ(id, 0);

    argus_names_attach(&table);
    CHECK_EQ(argus_name(&table, &ring, "gemm", &id), ARGUS_NAME_OK);
    CHECK_EQ(id, a);
    CHECK_EQ(view_written(&view), written + 1);

    /* A long C++ name, with and without a character where it is cut. */
    char *longest = malloc(10001);
    memset(longest, 'T', 10000);
    longest[10000] = '\0';
    CHECK_EQ(argus_name(&table, &ring, longest, &id), ARGUS_NAME_OK);
    const char *cut = view_text(&view, id, view_written(&view));
    CHECK_EQ(strlen(cut), 4096);
    char tail[32];
    snprintf(tail, sizeof tail, "\xe2\x80\xa6#%016llx", (unsigned long long)argus_fnv1a(longest, 10000));
    CHECK_TEXT(cut + 4096 - strlen(tail), tail);
    memcpy(longest + 4074, "\xf0\x9f\x99\x82", 4); /* the cut falls inside of it */
    CHECK_EQ(argus_name(&table, &ring, longest, &id), ARGUS_NAME_OK);
    CHECK_EQ(strlen(view_text(&view, id, view_written(&view))), 4094);
    memset(longest, 0x80, 10000); /* no UTF-8 at all */
    CHECK_EQ(argus_name(&table, &ring, longest, &id), ARGUS_NAME_OK);
    free(longest);

    /* Full: 48 places, the last for all others. */
    int full_at = 0;
    for (int i = 0; i < 100; i++) {
        char name[32];
        snprintf(name, sizeof name, "name %d", i);
        enum argus_name_result result = argus_name(&table, &ring, name, &id);
        if (result == ARGUS_NAME_FULL && full_at == 0) {
            full_at = i;
        }
        CHECK(id != 0 && result == (full_at == 0 ? ARGUS_NAME_OK : ARGUS_NAME_FULL));
    }
    CHECK_EQ(full_at, 48 - 1 - 5);
    CHECK_TEXT(view_text(&view, id, view_written(&view)), "(other names)");
    CHECK_EQ(argus_name(&table, &ring, "gemm2", &id), ARGUS_NAME_OK);
    CHECK_EQ(id, b);

    /* No room for a definition: tried again at the next use, the record in between is the caller's to drop. */
    while (argus_ring_room(&ring) > 0) {
        argus_record r = argus_clock_record(1, 1, 1);
        CHECK(argus_ring_write(&ring, &r, 1));
    }
    argus_names_attach(&table);
    CHECK_EQ(argus_name(&table, &ring, "gemm", &id), ARGUS_NAME_NO_ROOM);
    view_take(&view, 500);
    CHECK_EQ(argus_name(&table, &ring, "gemm", &id), ARGUS_NAME_OK);
    CHECK_EQ(id, a);
    argus_names_free(&table);
    view_close(&view);
    argus_ring_unmap(&ring);
}

int main(void) {
    char *base = test_folder();
    folders(base);
    no_space(base);
    full(base);
    names(base);
    test_folder_remove(base);
    printf("ring: ok\n");
    return 0;
}
