/* Reads one word from each of many cache lines, in an order given by an index array.
 *
 *   order in_order|shuffled|both LINES   one pass each, for a cache simulator
 *   order bench LINES                    CPU ns per line of interleaved passes, as JSON
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { uint64_t v, pad[7]; } line; /* 64 bytes */
enum { ROUNDS = 21 };
static volatile uint64_t sink;

/* Twice the same code: two functions, so that tools tell the two orders apart. */
#define VISIT(name)                                                                        \
    __attribute__((noipa)) uint64_t name(const line *a, const uint32_t *order, int lines)  \
    {                                                                                      \
        uint64_t s = 0;                                                                    \
        for (int i = 0; i < lines; i++)                                                    \
            s += a[order[i]].v;                                                            \
        return s;                                                                          \
    }
VISIT(in_order)
VISIT(shuffled)

static void die(const char *message)
{
    fprintf(stderr, "order: %s\n", message);
    exit(2);
}

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void bench(const line *a, const uint32_t *up, const uint32_t *mix, int lines)
{
    static double ns[3][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) { /* round -1 warms up */
        for (int k = 0; k < 3; k++) {
            sink += in_order(a, up, lines); /* all three find the caches in the same state */
            double begin = cpu_ns();
            sink += k == 1 ? shuffled(a, mix, lines) : in_order(a, up, lines);
            double end = cpu_ns();
            if (round >= 0)
                ns[k][round] = (end - begin) / lines;
        }
    }
    static const char *const names[] = {"in_order", "shuffled", "again"};
    for (int k = 0; k < 3; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.4f", round ? ", " : "", ns[k][round]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    int lines = argc == 3 ? atoi(argv[2]) : 0;
    if (lines < 1024 || lines > 1 << 24 || lines % 16)
        die("usage: order in_order|shuffled|both|bench LINES, from 1024 to 16777216");
    line *a = aligned_alloc(64, sizeof(line) * (size_t)lines);
    uint32_t *up = aligned_alloc(64, sizeof *up * (size_t)lines);
    uint32_t *mix = aligned_alloc(64, sizeof *mix * (size_t)lines);
    if (!a || !up || !mix)
        die("out of memory");
    for (int i = 0; i < lines; i++) {
        a[i].v = (uint64_t)i;
        up[i] = mix[i] = (uint32_t)i;
    }
    uint64_t x = 88172645463325252u, sum = (uint64_t)lines * (uint64_t)(lines - 1) / 2;
    for (int i = lines - 1; i > 0; i--) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        int j = (int)(x % (uint64_t)(i + 1));
        uint32_t swapped = mix[i];
        mix[i] = mix[j];
        mix[j] = swapped;
    }
    int both = !strcmp(argv[1], "both"), timed = !strcmp(argv[1], "bench");
    if (!both && !timed && strcmp(argv[1], "in_order") && strcmp(argv[1], "shuffled"))
        die("the mode must be in_order, shuffled, both or bench");
    if ((both || !strcmp(argv[1], "in_order")) && in_order(a, up, lines) != sum)
        die("the sum in order is wrong");
    if ((both || !strcmp(argv[1], "shuffled")) && shuffled(a, mix, lines) != sum)
        die("the shuffled sum is wrong");
    if (timed)
        bench(a, up, mix, lines);
    free(mix);
    free(up);
    free(a);
    return 0;
}
