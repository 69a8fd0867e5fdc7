#define _GNU_SOURCE
#include "bell.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void argus_bell_ring(argus_bell *bell) {
    __atomic_fetch_add(&bell->rings, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&bell->listening, __ATOMIC_SEQ_CST) != 0) {
        syscall(SYS_futex, &bell->rings, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

void argus_bell_wait(argus_bell *bell, uint32_t seen, uint64_t nanos) {
    struct timespec most = {(time_t)(nanos / 1000000000), (long)(nanos % 1000000000)};
    __atomic_fetch_add(&bell->listening, 1, __ATOMIC_SEQ_CST);
    /* Returns at once when rings has changed already, so no ring is missed. The timeout is on CLOCK_MONOTONIC. */
    syscall(SYS_futex, &bell->rings, FUTEX_WAIT_PRIVATE, seen, &most, NULL, 0);
    __atomic_fetch_sub(&bell->listening, 1, __ATOMIC_SEQ_CST);
}
