#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t argus_parse_start_ticks(const char *stat) {
    const char *at = strrchr(stat, ')');
    /* Behind the bracket comes field 3; 22 is 19 fields later. */
    for (int field = 2; at != NULL && field < 22; field++) {
        at = strchr(at + 1, ' ');
    }
    return at == NULL ? 0 : strtoull(at + 1, NULL, 10);
}

uint64_t argus_start_ticks(void) {
    char text[1024];
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    text[length < 0 ? 0 : length] = '\0';
    return argus_parse_start_ticks(text);
}

uint64_t argus_pid_namespace(void) {
    struct stat is;
    return stat("/proc/self/ns/pid", &is) == 0 ? (uint64_t)is.st_ino : 0;
}

static void *driver_function(const char *name) {
    /* Only a driver that is there already: this library never starts one. */
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return dlsym(driver == NULL ? RTLD_DEFAULT : driver, name);
}

void argus_gpu(uint32_t device, char *model, size_t model_bytes, char *uuid, size_t uuid_bytes) {
    int (*get)(int *, int);
    int (*get_name)(char *, int, int);
    int (*get_uuid)(unsigned char *, int);
    *(void **)&get = driver_function("cuDeviceGet");
    *(void **)&get_name = driver_function("cuDeviceGetName");
    *(void **)&get_uuid = driver_function("cuDeviceGetUuid_v2");
    if (get_uuid == NULL) {
        *(void **)&get_uuid = driver_function("cuDeviceGetUuid");
    }
    model[0] = uuid[0] = '\0';
    int handle;
    if (get == NULL || get(&handle, (int)device) != 0) {
        return;
    }
    if (get_name == NULL || get_name(model, (int)model_bytes, handle) != 0) {
        model[0] = '\0';
    }
    model[model_bytes - 1] = '\0';
    unsigned char b[16];
    if (get_uuid != NULL && get_uuid(b, handle) == 0) {
        snprintf(uuid, uuid_bytes, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
                 b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
    }
}
