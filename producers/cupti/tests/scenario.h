/* What the scenarios share: the stand-in's controls, the ring, and waiting for something. Each runs in a process of its own. */
#ifndef SCENARIO_H
#define SCENARIO_H

#define _GNU_SOURCE
#include <stdbool.h>
#include <unistd.h>

#include "../src/argus_cupti.h"
#include "../src/cupti_facts.h"
#include "check.h"
#include "inspect.h"
#include "records.h"

enum { PATIENCE = 10000 }; /* milliseconds, against a hang: nothing is expected to take so long */

extern char *folder;
extern const char *library; /* the built one */
extern ring_view view;

extern void (*emit)(const void *, size_t);
extern void (*complete)(size_t);
extern void (*complete_address)(uint8_t *, size_t, size_t);
extern uint8_t *(*request)(size_t *);
extern void (*other_takes)(void), (*other_leaves)(void), (*drop)(size_t), (*refuse)(uint32_t), (*flush_sleeps)(uint32_t);
extern uint64_t (*other_records)(void), (*flushes)(void), (*external)(void), (*timestamp)(void);
extern int (*enabled)(uint32_t), (*launch_calls)(void);

/* Finds the stand-in's controls (fake_cupti.h). */
void bind_fake(const char *fake);

uint64_t now(void);
void sleep_millis(long millis);
void kernels(const char *name, int count);
void start(void);
void open_ring(void);
void start_with_kernels(void);

/* The last record of a type with this byte 1. */
seen find(unsigned type, unsigned b1);

/* Sum of all LOSS records of a reason. */
uint64_t told(unsigned reason);

int await(int (*holds)(void));
int kernels_on(void);
int kernels_off(void);

/* Waits until the control word is obeyed as said. */
void await_obeyed(uint64_t control);

#define SCENARIO(name) void scenario_##name(void)
SCENARIO(events);
SCENARIO(forbidden);
SCENARIO(old);
SCENARIO(old_all_calls);
SCENARIO(no_buffer);
SCENARIO(takeover);
SCENARIO(retaken);
SCENARIO(settled);
SCENARIO(paused);
SCENARIO(paused_early);
SCENARIO(sampled);
SCENARIO(refused);
SCENARIO(refused_later);
SCENARIO(filtered);
SCENARIO(unknown_version);
SCENARIO(unused);
SCENARIO(bad_folder);
SCENARIO(forked);
SCENARIO(lies);
SCENARIO(threads);
SCENARIO(thread_manners);
SCENARIO(exits);
SCENARIO(exits_bounded);
SCENARIO(killed);
SCENARIO(harmless);
SCENARIO(real_cupti);
SCENARIO(cost);

#endif
