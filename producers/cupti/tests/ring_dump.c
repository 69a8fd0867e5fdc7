/*
 * What lies in a ring, for the check on a GPU and for people: ring_dump FILE prints one "key value" a line.
 * Kernels by name, most first, at most 20.
 */
#include <inttypes.h>

#include "check.h"
#include "inspect.h"

enum { NAMES_MAX = 4096, SHOWN = 20 };

static uint64_t count_of[NAMES_MAX];

int main(int count, char **arguments) {
    static const char *const types[] = {"", "kernels", "copies", "sets", "launches", "steps", "spans", "collectives", "", "groups",
                                        "identities", "strings", "", "clocks", "losses"};
    static const char *const reasons[] = {"ring_full", "driver", "no_buffer", "impossible", "names_full", "other_owner", "unjoined",
                                          "internal", "off"};
    CHECK(count == 2);
    ring_view view = view_open(arguments[1]);
    uint64_t to = view_written(&view), from = to > view.capacity ? to - view.capacity : 0;
    uint64_t by_type[16] = {0}, graph = 0, joined = 0, nanos = 0, backwards = 0, last_start = 0, whole = 0;
    for (uint64_t p = from; p < to; p++) {
        seen s = view_record(&view, p);
        CHECK(s.type >= 1 && s.type <= 15);
        by_type[s.type]++;
        if (s.type == 1) {
            graph += s.h2 & 1;
            joined += s.w24 != 0;
            nanos += s.duration;
            backwards += s.q8 < last_start;
            last_start = s.q8;
            count_of[s.w4 % NAMES_MAX]++;
            const char *text = s.f28 == 0 ? view_text(&view, s.w4, p) : NULL;
            whole += text != NULL && strncmp(text, "CUDA graph ", 11) == 0;
        }
    }
    printf("state %u\nwhy %u\nclock %u\nwritten %" PRIu64 "\n", view_state(&view), view_why(&view), view_clock(&view), to);
    for (unsigned t = 1; t <= 15; t++) {
        if (types[t][0] != '\0') {
            printf("%s %" PRIu64 "\n", types[t], by_type[t]);
        }
    }
    printf("graph_kernels %" PRIu64 "\nwhole_graphs %" PRIu64 "\nkernels_with_correlation %" PRIu64 "\nkernel_nanos %" PRIu64 "\nout_of_order %" PRIu64 "\n",
           graph, whole, joined, nanos, backwards);
    for (unsigned r = 0; r < 9; r++) {
        printf("dropped_%s %" PRIu64 "\n", reasons[r], view_dropped(&view, r));
    }
    for (int shown = 0; shown < SHOWN; shown++) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < NAMES_MAX; i++) {
            most = count_of[i] > count_of[most] ? i : most;
        }
        if (count_of[most] == 0) {
            break;
        }
        const char *text = view_text(&view, most, to);
        printf("kernel %" PRIu64 " %.120s\n", count_of[most], text == NULL ? "?" : text);
        count_of[most] = 0;
    }
    view_close(&view);
    return 0;
}
