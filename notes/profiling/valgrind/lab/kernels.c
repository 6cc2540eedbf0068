/* Loops whose counts and times disagree, and what may differ between two runs.
 *
 * kernels waiting|busy|laps|repeat|wide|length   runs one of them, to be counted
 * kernels clock                                  asks the clock until 20 ms have passed
 * kernels addresses                              prints where code, data, heap and stack lie
 * kernels bench                                  times four of the loops in turn, as JSON
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

enum { STEPS = 200000, LINE = 64, BYTES = 40 * 1024, LAPS = 10, ROUNDS = 21, FILLS = 50 };

static _Alignas(4096) char buffer[BYTES];

/* Few instructions; each division has to wait for the one before. */
__attribute__((noipa)) uint64_t waiting(uint64_t x, uint64_t by)
{
    for (int i = 0; i < STEPS; i++)
        x = (x | (1ull << 62)) / by;
    return x;
}

/* Many instructions, in eight chains that do not wait for each other. */
__attribute__((noipa)) uint64_t busy(uint64_t x, uint64_t by)
{
    uint64_t a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x;
    for (int i = 0; i < STEPS; i++) {
        a ^= by, b += by, c ^= by, d += by, e ^= by, f += by, g ^= by, h += by;
        a += by, b ^= by, c += by, d ^= by, e += by, f ^= by, g += by, h ^= by;
        /* Makes the compiler compute the values of each step. */
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

/* Reads one byte of each line of the buffer, again and again. */
__attribute__((noipa)) unsigned laps(int times)
{
    unsigned sum = 0;
    for (int lap = 0; lap < times; lap++)
        for (int i = 0; i < BYTES; i += LINE)
            sum += ((volatile unsigned char *)buffer)[i];
    return sum;
}

/* Fills the buffer by one instruction, which the processor repeats. */
__attribute__((noipa)) void repeat(char *to, size_t bytes)
{
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"('x') : "memory");
}

/* Fills it by a loop that stores 16 bytes at a time. */
__attribute__((noipa)) void wide(char *to, size_t bytes)
{
    __asm__ volatile("movd %2, %%xmm0\n"
                     "pshufd $0, %%xmm0, %%xmm0\n"
                     "1: movups %%xmm0, (%0)\n"
                     "add $16, %0\n"
                     "sub $16, %1\n"
                     "jne 1b"
                     : "+r"(to), "+r"(bytes)
                     : "r"(0x78787878)
                     : "memory", "xmm0", "cc");
}

/* Asks the C library for the length of a long string. */
__attribute__((noipa)) size_t length(void)
{
    wide(buffer, BYTES);
    buffer[BYTES - 1] = 0;
    size_t sum = 0;
    for (int i = 0; i < LAPS; i++) {
        sum += strlen(buffer);
        __asm__ volatile("" ::: "memory");
    }
    return sum;
}

static double seconds(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ask_the_clock(void)
{
    double start = seconds(CLOCK_MONOTONIC);
    long asked = 0;
    while (seconds(CLOCK_MONOTONIC) < start + 0.02)
        asked++;
    printf("%ld\n", asked);
    return 0;
}

static int addresses(void)
{
    int local = 0;
    void *small = malloc(100), *large = malloc(1 << 20);
    const unsigned char *random = (const unsigned char *)getauxval(AT_RANDOM);
    printf("code %p data %p heap %p mapping %p libc %p stack %p\n", (void *)(uintptr_t)addresses,
           (void *)buffer, small, large, (void *)(uintptr_t)printf, (void *)&local);
    for (int i = 0; i < 16; i++)
        printf("%02x", random[i]);
    putchar('\n');
    free(small), free(large);
    return 0;
}

enum { WAITING, BUSY, AGAIN, REPEAT, WIDE, KINDS };

static double timed(int kind)
{
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    if (kind == WAITING)
        waiting(7, 3);
    else if (kind == BUSY || kind == AGAIN)
        busy(7, 3);
    else
        for (int i = 0; i < FILLS; i++)
            (kind == REPEAT ? repeat : wide)(buffer, BYTES);
    return seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

static int bench(void)
{
    static const char *const name[KINDS] = {"waiting", "busy", "again", "repeat", "wide"};
    static double took[KINDS][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) /* the first round is not kept */
        for (int kind = 0; kind < KINDS; kind++)
            took[kind][round < 0 ? 0 : round] = timed(kind);
    for (int kind = 0; kind < KINDS; kind++) {
        printf("%s\"%s\": [", kind ? ", " : "{", name[kind]);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.9f", round ? ", " : "", took[kind][round]);
        printf("]");
    }
    puts("}");
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "clock"))
        return ask_the_clock();
    if (!strcmp(what, "addresses"))
        return addresses();
    if (!strcmp(what, "bench"))
        return bench();
    if (!strcmp(what, "waiting"))
        return waiting(7, 3) == 0;
    if (!strcmp(what, "busy"))
        return busy(7, 3) == 1;
    if (!strcmp(what, "laps"))
        return laps(LAPS) == 1;
    if (!strcmp(what, "length"))
        return length() == 0;
    if (!strcmp(what, "repeat"))
        return repeat(buffer, BYTES), 0;
    if (!strcmp(what, "wide"))
        return wide(buffer, BYTES), 0;
    fprintf(stderr, "usage: kernels waiting|busy|laps|repeat|wide|length|clock|addresses|bench\n");
    return 2;
}
