// A small tuner and what misleads it: sizes that it was not tuned for, caches that are warm only in the
// tuner's loop, and noise. The candidates transpose a matrix in tiles, or compute a CRC-32.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

// ---- Tiles, judged by the misses of a simulated first-level cache: 32 KiB, 8 ways, lines of 64 bytes, LRU.

enum { SETS = 64, WAYS = 8, LINE = 64 };

static uint64_t tags[SETS][WAYS]; // the most recent line first
static long misses;

static void touch(uint64_t address) {
    uint64_t line = address / LINE + 1; // 0 is an empty way
    uint64_t *set = tags[line % SETS];
    int way = 0;
    while (way < WAYS - 1 && set[way] != line)
        way++;
    misses += set[way] != line;
    memmove(set + 1, set, sizeof *set * (size_t)way);
    set[0] = line;
}

// b = transpose of a, both n × n double, in tiles of size × size; b lies right behind a.
static long misses_of_tiles(int n, int size) {
    memset(tags, 0, sizeof tags);
    misses = 0;
    uint64_t a = 0, b = sizeof(double) * (uint64_t)n * (uint64_t)n;
    for (int ii = 0; ii < n; ii += size)
        for (int jj = 0; jj < n; jj += size)
            for (int i = ii; i < ii + size && i < n; i++)
                for (int j = jj; j < jj + size && j < n; j++) {
                    touch(a + sizeof(double) * ((uint64_t)i * (uint64_t)n + (uint64_t)j));
                    touch(b + sizeof(double) * ((uint64_t)j * (uint64_t)n + (uint64_t)i));
                }
    return misses;
}

static const int tiles[] = {4, 8, 16, 32, 64};
static const int sizes[] = {40, 300, 500, 512, 1000, 1024};
enum { TILES = sizeof tiles / sizeof *tiles, SIZES = sizeof sizes / sizeof *sizes };

static void print_sizes(void) {
    long count[SIZES][TILES];
    int best[SIZES];
    for (int s = 0; s < SIZES; s++) {
        best[s] = 0;
        for (int t = 0; t < TILES; t++) {
            count[s][t] = misses_of_tiles(sizes[s], tiles[t]);
            if (count[s][t] < count[s][best[s]])
                best[s] = t;
        }
    }
    const char *comma = "{";
    for (int s = 0; s < SIZES; s++) {
        printf("%s\"best_%d\": %d", comma, sizes[s], tiles[best[s]]);
        comma = ", ";
        for (int t = 0; t < TILES; t++)
            printf(", \"n%d_t%d\": %ld", sizes[s], tiles[t], count[s][t]);
        for (int from = 0; from < SIZES; from++) // what the choice of another size costs here
            printf(", \"use_%d_at_%d\": %.6f", sizes[from], sizes[s],
                   (double)count[s][best[from]] / (double)count[s][best[s]]);
    }
    printf("}\n");
}

// ---- CRC-32 in three ways: bit by bit, a table of 1 KiB, eight tables of 8 KiB.

static uint32_t table[8][256] __attribute__((aligned(64)));

static uint32_t bit_step(uint32_t c) { return (c >> 1) ^ (0xEDB88320u & (0u - (c & 1u))); }

static void make_tables(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = bit_step(c);
        table[0][i] = c;
    }
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 256; i++)
            table[t][i] = (table[t - 1][i] >> 8) ^ table[0][table[t - 1][i] & 255];
}

__attribute__((noinline)) uint32_t crc_bits(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    for (size_t i = 0; i < n; i++) {
        c ^= p[i];
        for (int k = 0; k < 8; k++)
            c = bit_step(c);
    }
    return ~c;
}

__attribute__((noinline)) uint32_t crc_table(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    for (size_t i = 0; i < n; i++)
        c = (c >> 8) ^ table[0][(c ^ p[i]) & 255];
    return ~c;
}

__attribute__((noinline)) uint32_t crc_eight(const uint8_t *p, size_t n) { // n is a multiple of 8
    uint32_t c = ~0u;
    for (size_t i = 0; i < n; i += 8) {
        uint32_t low = c ^ ((uint32_t)p[i] | (uint32_t)p[i + 1] << 8 | (uint32_t)p[i + 2] << 16 | (uint32_t)p[i + 3] << 24);
        c = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^ table[4][low >> 24] ^
            table[3][p[i + 4]] ^ table[2][p[i + 5]] ^ table[1][p[i + 6]] ^ table[0][p[i + 7]];
    }
    return ~c;
}

typedef uint32_t crc(const uint8_t *, size_t);
static crc *const ways[] = {crc_bits, crc_table, crc_eight};
static const char *const names[] = {"bits", "table", "eight"};
enum { METHODS = 3, MESSAGE = 64, CALLS = 1000 };

static uint8_t message[CALLS][MESSAGE];
static volatile uint32_t sink;

static void make_messages(void) {
    uint32_t x = 12345;
    for (int i = 0; i < CALLS * MESSAGE; i++) {
        x = x * 1664525u + 1013904223u;
        ((uint8_t *)message)[i] = (uint8_t)(x >> 24);
    }
}

// Other work between two calls, here on 1 MiB. Under Cachegrind it drives the tables out of the caches.
// It writes, so that the compiler can't leave it out.
static uint8_t other[1 << 20];
__attribute__((noinline)) uint32_t other_work(void) {
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof other; i += LINE)
        sum += ++other[i];
    return sum;
}

// One way, CALLS / 10 messages; the same message again and again if warm, with other work between if cold.
static void count_crc(int way, int cold) {
    for (int i = 0; i < CALLS / 10; i++) {
        sink = ways[way](message[cold ? i : 0], MESSAGE);
        if (cold)
            sink = other_work();
    }
}

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list, int n) {
    qsort(list, (size_t)n, sizeof *list, compare);
    return n % 2 ? list[n / 2] : (list[n / 2 - 1] + list[n / 2]) / 2;
}

// Drives memory out of every cache.
static void flush(const uint8_t *p, size_t n) {
#if defined(__x86_64__)
    for (size_t i = 0; i < n; i += LINE)
        _mm_clflush(p + i);
    _mm_mfence();
#else
    (void)p, (void)n;
#endif
}

// Results that differ from those bit by bit, of messages in which one bit was changed before if spoilt.
static int wrong_crcs(int spoilt) {
    int wrong = crc_bits((const uint8_t *)"12345678", 8) != 0x9AE0DAAFu;
    for (int i = 0; i < CALLS; i++)
        for (int w = 1; w < METHODS; w++) {
            uint32_t right = crc_bits(message[i], MESSAGE);
            message[i][0] ^= (uint8_t)spoilt;
            wrong += ways[w](message[i], MESSAGE) != right;
            message[i][0] ^= (uint8_t)spoilt;
        }
    return wrong;
}

// Nanoseconds of one call, medians of BLOCK calls, the ways in turn: REPEATS medians for each way.
static void print_crc(void) {
    enum { REPEATS = 21, BLOCK = 201 };
    static double result[2][METHODS][REPEATS], sample[METHODS][BLOCK];
    for (int r = 0; r < REPEATS; r++)
        for (int cold = 0; cold < 2; cold++) {
            for (int i = 0; i < BLOCK; i++)
                for (int w = 0; w < METHODS; w++) {
                    const uint8_t *p = message[cold ? (r * BLOCK + i) % CALLS : 0];
                    sink = ways[w](p, MESSAGE); // the code and the message are warm in both cases
                    if (cold) {
                        flush((const uint8_t *)table, sizeof table);
                        sink = ways[0](p, MESSAGE);
                    }
                    double start = seconds(CLOCK_MONOTONIC);
                    sink = ways[w](p, MESSAGE);
                    sample[w][i] = seconds(CLOCK_MONOTONIC) - start;
                }
            for (int w = 0; w < METHODS; w++)
                result[cold][w][r] = 1e9 * median(sample[w], BLOCK);
        }
    printf("{\"wrong\": %d, \"spoilt\": %d", wrong_crcs(0), wrong_crcs(1));
    for (int cold = 0; cold < 2; cold++)
        for (int w = 0; w < METHODS; w++) {
            printf(", \"%s_%s\": [", cold ? "cold" : "warm", names[w]);
            for (int r = 0; r < REPEATS; r++)
                printf("%s%.1f", r ? ", " : "", result[cold][w][r]);
            printf("]");
        }
    printf("}\n");
}

// ---- How many runs make a choice repeat: tiles of one matrix, timed.

static void transpose(const double *a, double *b, int n, int size) {
    for (int ii = 0; ii < n; ii += size)
        for (int jj = 0; jj < n; jj += size) {
            int iend = ii + size < n ? ii + size : n, jend = jj + size < n ? jj + size : n;
            for (int i = ii; i < iend; i++)
                for (int j = jj; j < jend; j++)
                    b[j * n + i] = a[i * n + j];
        }
}

enum { N = 300, TIMED = 3, SAMPLES = 8100 }; // a multiple of 81
static const int timed[TIMED] = {8, 12, 16};
static double runs[TIMED][SAMPLES];

// A tuner takes k runs of each candidate and a number from them: 0 the least, 1 the median, 2 the mean.
static double summary(const double *first, int k, int how) {
    double copy[81], sum = 0;
    memcpy(copy, first, sizeof *copy * (size_t)k);
    for (int i = 0; i < k; i++)
        sum += copy[i];
    double middle = median(copy, k); // sorts copy
    return how == 0 ? copy[0] : how == 1 ? middle : sum / k;
}

static void print_repeats(void) {
    double *a = malloc(sizeof *a * N * N), *b = malloc(sizeof *b * N * N);
    if (!a || !b)
        exit(1);
    for (int i = 0; i < N * N; i++)
        a[i] = i, b[i] = 0;
    for (int s = 0; s < SAMPLES; s++)
        for (int t = 0; t < TIMED; t++) {
            transpose(a, b, N, timed[t]); // a run to warm up, as tuners do
            double start = seconds(CLOCK_MONOTONIC);
            transpose(a, b, N, timed[t]);
            runs[t][s] = seconds(CLOCK_MONOTONIC) - start;
        }
    double middle[TIMED], copy[SAMPLES];
    int best = 0;
    for (int t = 0; t < TIMED; t++) {
        memcpy(copy, runs[t], sizeof copy);
        middle[t] = median(copy, SAMPLES);
        best = middle[t] < middle[best] ? t : best;
    }
    printf("{\"samples\": %d, \"best\": %d", SAMPLES, timed[best]);
    for (int t = 0; t < TIMED; t++)
        printf(", \"us_%d\": %.3f", timed[t], 1e6 * middle[t]);
    const char *hows[] = {"least", "median", "mean"};
    for (int how = 0; how < 3; how++)
        for (int k = 1; k <= 81; k *= 3) {
            int tunings = SAMPLES / k, other = 0;
            double lost = 0;
            for (int g = 0; g < tunings; g++) {
                int pick = 0;
                for (int t = 1; t < TIMED; t++)
                    if (summary(runs[t] + g * k, k, how) < summary(runs[pick] + g * k, k, how))
                        pick = t;
                other += pick != best;
                lost += middle[pick] / middle[best] - 1;
            }
            printf(", \"other_%s_%d\": %.6f, \"lost_%s_%d\": %.6f", hows[how], k, (double)other / tunings, hows[how], k,
                   lost / tunings);
        }
    printf("}\n");
    free(a);
    free(b);
}

// CPU seconds of tile 64 and of tile 8 on 512 × 512, PAIRS times in turn, and of tile 8 again.
static void print_wrong_tile(void) {
    enum { PAIRS = 21, SIDE = 512, LOOPS = 5 };
    double *a = malloc(sizeof *a * SIDE * SIDE), *b = malloc(sizeof *b * SIDE * SIDE);
    if (!a || !b)
        exit(1);
    for (int i = 0; i < SIDE * SIDE; i++)
        a[i] = i, b[i] = 0;
    static const int order[] = {64, 8, 8};
    static const char *const label[] = {"tile64", "tile8", "tile8_again"};
    static double result[3][PAIRS];
    for (int r = 0; r < PAIRS; r++)
        for (int k = 0; k < 3; k++) {
            double start = seconds(CLOCK_THREAD_CPUTIME_ID);
            for (int i = 0; i < LOOPS; i++)
                transpose(a, b, SIDE, order[k]);
            result[k][r] = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / LOOPS;
        }
    for (int k = 0; k < 3; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", label[k]);
        for (int r = 0; r < PAIRS; r++)
            printf("%s%.9f", r ? ", " : "", result[k][r]);
        printf("]");
    }
    printf("}\n");
    free(a);
    free(b);
}

// ---- A model of noise, the same everywhere: a run takes its true time plus 0 to 10 % of it, and one run
// in 20 is interrupted and takes 100 to 300 % more.

static uint64_t state = 1;
static double uniform(void) { // splitmix64
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static double noisy(double true_time, int interruptions) {
    double t = true_time * (1 + 0.1 * uniform());
    return interruptions && uniform() < 0.05 ? t + true_time * (1 + 2 * uniform()) : t;
}

static void print_model(void) {
    enum { TRIALS = 20000 };
    const char *hows[] = {"least", "median", "mean"};
    const char *comma = "{";
    // Two candidates, the second truly 2 % slower: the share of tunings that take it.
    for (int interruptions = 0; interruptions < 2; interruptions++)
        for (int how = 0; how < 3; how++)
            for (int k = 1; k <= 27; k *= 3) {
                int wrong = 0;
                for (int t = 0; t < TRIALS; t++) {
                    double fast[81], slow[81];
                    for (int i = 0; i < k; i++) {
                        fast[i] = noisy(1, interruptions);
                        slow[i] = noisy(1.02, interruptions);
                    }
                    wrong += summary(slow, k, how) < summary(fast, k, how);
                }
                printf("%s\"%s_%s_%d\": %.6f", comma, interruptions ? "wrong" : "calm", hows[how], k,
                       (double)wrong / TRIALS);
                comma = ", ";
            }
    // Candidates that are all the same: how much the winner's measured time is below what it takes on average.
    for (int candidates = 1; candidates <= 64; candidates *= 4) {
        double below = 0;
        for (int t = 0; t < TRIALS; t++) {
            double best = 1e9;
            for (int c = 0; c < candidates; c++) {
                double time = noisy(1, 0);
                best = time < best ? time : best;
            }
            below += 1 - best / 1.05;
        }
        printf(", \"below_%d\": %.6f", candidates, below / TRIALS);
    }
    printf("}\n");
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    make_tables();
    make_messages();
    if (strcmp(what, "sizes") == 0)
        print_sizes();
    else if (strcmp(what, "crc") == 0)
        print_crc();
    else if (strcmp(what, "count") == 0 && argc > 3)
        count_crc(atoi(argv[2]), strcmp(argv[3], "cold") == 0);
    else if (strcmp(what, "repeats") == 0)
        print_repeats();
    else if (strcmp(what, "wrong-tile") == 0)
        print_wrong_tile();
    else if (strcmp(what, "model") == 0)
        print_model();
    else
        return 2;
    return 0;
}
