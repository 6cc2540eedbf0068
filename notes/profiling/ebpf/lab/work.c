// A program that makes a known number of calls, for tracers to count.
// Usage: work calls N | keys N | burst N [last] | path LENGTH | inline N | children N | child
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_KEY = 100000 };   // closing these descriptors fails and changes nothing

long step(long x);             // in step.c: a copy is inlined there, and this one is called
long many_steps(long n);       // in step.c: n steps, inlined

static void pause_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void pin(void) {        // on the CPU where it is
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void calls(long n) {
    static unsigned word;
    char byte;
    int zero = open("/dev/zero", O_RDONLY);
    for (long i = 0; i < n; i++) {
        if (read(zero, &byte, 1) != 1) abort();
        if (open("/nowhere/at/all", O_RDONLY) >= 0) abort();
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void keys(long first, long n) {
    for (long i = 0; i < n; i++) close(first + i);
}

// The parent, which is the tracer, stands still while the calls are made.
static void burst(long n, int has_last) {
    pin();
    kill(getppid(), SIGSTOP);
    pause_ms(100);
    keys(FIRST_KEY, n);
    kill(getppid(), SIGCONT);
    pause_ms(500);
    if (has_last) keys(FIRST_KEY + n, 1);
    pause_ms(200);
}

static void open_path(size_t length) {
    char path[4096] = "";
    memset(path, 'a', length);
    for (size_t i = 0; i < length; i += 16) path[i] = '/';
    if (open(path, O_RDONLY) >= 0) abort();
}

static void children(long n, char *self) {
    extern char **environ;
    char *arguments[] = {self, "child", NULL};
    for (long i = 0; i < n; i++) {
        pid_t pid;
        if (posix_spawn(&pid, self, NULL, NULL, arguments, environ)) abort();
        waitpid(pid, NULL, 0);
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 0;
    if (!strcmp(mode, "child")) {
        clock_t end = clock() + CLOCKS_PER_SEC / 200;
        while (clock() < end) {}
        return 0;
    }
    if (!strcmp(mode, "calls")) calls(n);
    if (!strcmp(mode, "keys")) keys(FIRST_KEY, n);
    if (!strcmp(mode, "burst")) burst(n, argc > 3);
    if (!strcmp(mode, "path")) open_path((size_t)n);
    if (!strcmp(mode, "children")) children(n, argv[0]);
    if (!strcmp(mode, "inline")) {
        long sum = many_steps(n);
        for (long i = 0; i < n / 10; i++) sum = step(sum);
        if (sum == 42) puts("never");
    }
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("pid %d voluntary %ld\n", getpid(), used.ru_nvcsw);
    return 0;
}
