// Programs whose stacks are known: ./stacks MODE spends about SECONDS of CPU time in one place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double SECONDS = 0.4;
static volatile unsigned long sink;

static double cpu_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Arithmetic on the low bits of n; it calls nothing.
static inline unsigned long mix(unsigned long n) {
    for (int i = 0; i < 20; i++) n = n * 6364136223846793005UL + 1442695040888963407UL;
    return n;
}

__attribute__((noinline)) unsigned long leaf(unsigned long n) {
    unsigned long sum = n;
    for (int i = 0; i < 20000; i++) sum += mix(sum);
    return sum;
}

// The additions after the calls keep them from becoming jumps.
__attribute__((noinline)) unsigned long visit(unsigned long n) { return leaf(n) + 1; }
__attribute__((noinline)) unsigned long walk(unsigned long n) { return visit(n) + 2; }
__attribute__((noinline)) unsigned long parse(unsigned long n) { return walk(n) + 3; }

// A recursion with at least 256 B of stack in each call.
__attribute__((noinline)) unsigned long deep(unsigned long n, int levels) {
    volatile unsigned long room[32];
    room[n % 32] = n;
    return levels > 0 ? deep(n, levels - 1) + room[n % 32] : leaf(n) + room[n % 32];
}

// The comparison runs below qsort, a function of the C library.
__attribute__((noinline)) int compare(const void *a, const void *b) {
    unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
    for (int i = 0; i < 20; i++) x = mix(x), y = mix(y);
    return (x > y) - (x < y);
}

__attribute__((noinline)) void sort_all(unsigned long *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    sink += numbers[0];
}

// Most of the time is in strlen, a function of the C library that calls nothing.
__attribute__((noinline)) unsigned long measure(const char *text) {
    unsigned long sum = 0;
    for (int i = 0; i < 100; i++) sum += strlen(text + i % 7);
    return sum;
}
__attribute__((noinline)) unsigned long scan(const char *text) { return measure(text) + 4; }

__attribute__((noinline)) void wait_for_it(void) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    sink++;
}
__attribute__((noinline)) void compute_it(void) {
    double end = cpu_time() + 0.02;
    while (cpu_time() < end) sink += leaf(sink);
    sink++;
}

// Takes turns: 5 ms of CPU time in one function, then 5 ms in the other.
__attribute__((noinline)) unsigned long first_half(unsigned long n) { return mix(mix(n)); }
__attribute__((noinline)) unsigned long other_half(unsigned long n) { return mix(mix(n)); }
__attribute__((noinline)) void take_turns(void) {
    for (double now; (now = cpu_time()) < 5 * SECONDS;)
        for (int i = 0; i < 100; i++)
            sink += (long)(now * 200) % 2 ? first_half(sink) : other_half(sink);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "turns") == 0) {
        take_turns();
        return 0;
    }
    if (strcmp(mode, "wait") == 0) {
        for (int i = 0; i < 20; i++) compute_it(), wait_for_it();
        return 0;
    }
    char *text = malloc(100001);
    unsigned long *numbers = malloc(1000 * sizeof *numbers);
    if (!text || !numbers) return 1;
    memset(text, 'x', 100000);
    text[100000] = 0;
    while (cpu_time() < SECONDS) {
        if (strcmp(mode, "chain") == 0) sink += parse(sink);
        else if (strcmp(mode, "deep") == 0) sink += deep(sink, 100);
        else if (strcmp(mode, "deeper") == 0) sink += deep(sink, 200);
        else if (strcmp(mode, "strlen") == 0) sink += scan(text);
        else if (strcmp(mode, "sort") == 0) {
            for (int i = 0; i < 1000; i++) numbers[i] = (unsigned long)i * 7919 % 1009;
            sort_all(numbers, 1000);
        } else return 2;
    }
    return 0;
}
