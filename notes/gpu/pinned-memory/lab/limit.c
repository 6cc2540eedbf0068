/* How mlock meets RLIMIT_MEMLOCK. The program first gives up the privilege to ignore the limit,
   if it has it, and sets the limit itself.

       ./limit LIMIT_MIB MIB...     tries each size; prints what happened, then counts as JSON */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: limit LIMIT_MIB MIB...\n");
        return 1;
    }
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    if (syscall(SYS_capset, &head, none)) {
        perror("capset");
        return 1;
    }
    rlim_t limit = (rlim_t)strtoul(argv[1], NULL, 10) << 20;
    struct rlimit both = {limit, limit};
    if (setrlimit(RLIMIT_MEMLOCK, &both)) {
        perror("setrlimit (ulimit -l is in KiB)");
        return 1;
    }
    printf("limit %s MiB\n", argv[1]);
    char json[1000] = "{";
    for (int i = 2; i < argc && i < 20; i++) {
        size_t n = strtoul(argv[i], NULL, 10) << 20;
        char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) {
            perror("mmap");
            return 1;
        }
        int refused = mlock(p, n) != 0;
        printf("mlock of %s MiB: %s\n", argv[i], refused ? strerror(errno) : "done");
        munmap(p, n);
        size_t at = strlen(json);
        snprintf(json + at, sizeof json - at, "%s\"refused_%s\": %d", i > 2 ? ", " : "", argv[i],
                 refused);
    }
    printf("%s}\n", json);
    return 0;
}
