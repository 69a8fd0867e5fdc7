/* The golden script of producers/golden through the writer: the same bytes as Java's and Python's must come out. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <fcntl.h>
#include <unistd.h>

#include "../src/ring.h"
#include "check.h"

enum { WORDS_MAX = 16 };

static argus_ring ring;

static void put(argus_record r) { CHECK(argus_ring_write(&ring, &r, 1)); }

static void put_string(uint32_t id, const char *text) {
    static char repeated[20000];
    argus_record records[ARGUS_STRING_RECORDS_MAX];
    unsigned times;
    int at;
    size_t length = strlen(text);
    if (sscanf(text, "@repeat %u %n", &times, &at) == 1) {
        length = 0;
        for (unsigned i = 0; i < times; i++) {
            size_t one = strlen(text + at);
            CHECK(length + one < sizeof repeated);
            memcpy(repeated + length, text + at, one);
            length += one;
        }
        text = repeated;
    }
    size_t count = argus_string_records(records, id, text, length);
    CHECK(argus_ring_write(&ring, records, count));
}

static void put_collective(const int64_t *n) {
    argus_record two[2] = {
        argus_collective((unsigned)n[0], (unsigned)n[1], (uint32_t)n[2], (uint64_t)n[3], (uint64_t)n[4], (uint32_t)n[5],
                         (uint32_t)n[6], (int32_t)n[7]),
        argus_collective_more((uint32_t)n[8], n[9], n[10], (int32_t)n[11], (uint32_t)n[12]),
    };
    CHECK(argus_ring_write(&ring, two, 2));
}

static void run(char *line) {
    char word[32];
    int at;
    CHECK(sscanf(line, "%31s %n", word, &at) == 1);
    char *text = line + at;
    int64_t n[WORDS_MAX] = {0};
    double real = 0;
    if (strcmp(word, "string") == 0) {
        uint32_t id = (uint32_t)strtoul(text, &text, 10);
        put_string(id, text + 1);
        return;
    }
    for (int i = 0; i < WORDS_MAX; i++) {
        char *end;
        real = strtod(text, &end); /* the last number may be a real one */
        n[i] = strtoll(text, NULL, 10);
        if (end == text) {
            real = i > 0 ? strtod(strrchr(line, ' '), NULL) : 0;
            break;
        }
        text = end;
    }
    uint64_t u[WORDS_MAX];
    uint32_t w[WORDS_MAX];
    for (int i = 0; i < WORDS_MAX; i++) {
        u[i] = (uint64_t)n[i];
        w[i] = (uint32_t)n[i];
    }
    if (strcmp(word, "clock") == 0) {
        put(argus_clock_record(u[0], u[1], u[2]));
    } else if (strcmp(word, "identity") == 0) {
        put(argus_identity(w[0], w[1], n[2]));
    } else if (strcmp(word, "group") == 0) {
        put(argus_group(w[0], w[1], w[2], w[3], w[4], w[5]));
    } else if (strcmp(word, "step") == 0) {
        put(argus_step_record(w[0], u[1], u[2], w[3], n[4]));
    } else if (strcmp(word, "span") == 0) {
        put(argus_span(w[0], w[1], w[2], w[3], u[4], u[5], w[6], w[7], w[8]));
    } else if (strcmp(word, "launch") == 0) {
        put(argus_launch(0, w[0], u[1], u[2], w[3], w[4], w[5]));
    } else if (strcmp(word, "kernel") == 0) {
        put(argus_kernel(w[0], w[1], w[2], u[3], u[4], w[5], w[6], (float)real));
    } else if (strcmp(word, "copy") == 0) {
        put(argus_move(ARGUS_COPY, w[0], w[1], 0, u[2], u[3], u[4], w[5], w[6]));
    } else if (strcmp(word, "set") == 0) {
        put(argus_move(ARGUS_SET, w[0], w[1], 0, u[2], u[3], u[4], w[5], w[6]));
    } else if (strcmp(word, "collective") == 0) {
        put_collective(n);
    } else if (strcmp(word, "loss") == 0) {
        put(argus_loss_record(w[0], u[1], u[2], u[3]));
    } else {
        fprintf(stderr, "unknown word in the script: %s\n", word);
        exit(1);
    }
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    char *folder = test_folder(), problem[1200];
    argus_ring_header header = {
        .producer = ARGUS_PRODUCER_SIMULATED, .clock = ARGUS_CLOCK_MONOTONIC, .capacity = 1024,
        .session = UINT64_C(1700000000000000001), .pid = 4711, .start_ticks = 123456, .rank = 5, .local_rank = 1,
        .world_size = 16, .pid_namespace = UINT64_C(4026531836), .control = 65535,
    };
    CHECK_EQ(argus_ring_create(&ring, folder, "simulated", &header, problem, sizeof problem), 0);
    argus_ring_heartbeat(&ring, 987654321);

    FILE *script = fopen(arguments[1], "r");
    CHECK(script != NULL);
    char line[8192];
    while (fgets(line, sizeof line, script) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '#' && line[0] != '\0') {
            run(line);
        }
    }
    fclose(script);

    size_t bytes = 4096 + 32 * (size_t)ring.write;
    unsigned char *expected = malloc(bytes + 1);
    FILE *golden = fopen(arguments[2], "rb");
    CHECK(golden != NULL);
    CHECK_EQ(fread(expected, 1, bytes + 1, golden), bytes);
    fclose(golden);
    for (size_t i = 0; i < bytes; i++) {
        if (ring.map[i] != expected[i]) {
            fprintf(stderr, "byte %zu (record %zd) is %02x, expected %02x\n", i, ((ssize_t)i - 4096) / 32, ring.map[i], expected[i]);
            return 1;
        }
    }
    free(expected);
    argus_ring_unmap(&ring);
    test_folder_remove(folder);
    printf("golden: %zu bytes, the same\n", bytes);
    return 0;
}
