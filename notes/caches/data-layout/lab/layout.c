/* Records of eight 32-bit fields in three layouts: an array of structures (aos), a structure of
 * arrays (soa), and an array of structures of short arrays (blocks of WIDTH records).
 *
 *   layout count one|all|move|pick aos|soa|blocks N    once, for a cache simulator
 *   layout bench N                                     CPU seconds, as JSON
 *
 * one: adds one field of every record; all: adds all eight; move: adds three fields to three others;
 * pick: adds all eight of every record, in a scattered order.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIELDS = 8, WIDTH = 32, ROUNDS = 15, SCRATCH = 4 << 20, STEP = 40503 };
#define KERNEL __attribute__((noinline, noclone))

struct record { uint32_t x, y, z, vx, vy, vz, mass, kind; };
struct arrays { uint32_t *x, *y, *z, *vx, *vy, *vz, *mass, *kind; };
struct block {
    uint32_t x[WIDTH], y[WIDTH], z[WIDTH], vx[WIDTH], vy[WIDTH], vz[WIDTH], mass[WIDTH], kind[WIDTH];
};
struct data { size_t n; struct record *aos; struct arrays soa; struct block *blocks; };

static volatile uint32_t sink;

KERNEL uint32_t one_aos(const struct data *d)
{
    struct record *r = d->aos;
    uint32_t sum = 0;
    for (size_t i = 0; i < d->n; i++)
        sum += r[i].x;
    return sum;
}

KERNEL uint32_t one_soa(const struct data *d)
{
    struct arrays a = d->soa;
    uint32_t sum = 0;
    for (size_t i = 0; i < d->n; i++)
        sum += a.x[i];
    return sum;
}

KERNEL uint32_t one_blocks(const struct data *d)
{
    struct block *b = d->blocks;
    uint32_t sum = 0;
    for (size_t k = 0; k < d->n / WIDTH; k++)
        for (size_t i = 0; i < WIDTH; i++)
            sum += b[k].x[i];
    return sum;
}

KERNEL uint32_t all_aos(const struct data *d)
{
    struct record *r = d->aos;
    uint32_t sum = 0;
    for (size_t i = 0; i < d->n; i++)
        sum += r[i].x + r[i].y + r[i].z + r[i].vx + r[i].vy + r[i].vz + r[i].mass +
               r[i].kind;
    return sum;
}

KERNEL uint32_t all_soa(const struct data *d)
{
    struct arrays a = d->soa;
    uint32_t sum = 0;
    for (size_t i = 0; i < d->n; i++)
        sum += a.x[i] + a.y[i] + a.z[i] + a.vx[i] + a.vy[i] + a.vz[i] + a.mass[i] +
               a.kind[i];
    return sum;
}

KERNEL uint32_t all_blocks(const struct data *d)
{
    struct block *b = d->blocks;
    uint32_t sum = 0;
    for (size_t k = 0; k < d->n / WIDTH; k++)
        for (size_t i = 0; i < WIDTH; i++)
            sum += b[k].x[i] + b[k].y[i] + b[k].z[i] + b[k].vx[i] + b[k].vy[i] +
                   b[k].vz[i] + b[k].mass[i] + b[k].kind[i];
    return sum;
}

KERNEL uint32_t pick_aos(const struct data *d)
{
    struct record *r = d->aos;
    uint32_t sum = 0;
    for (size_t k = 0; k < d->n; k++) {
        size_t i = k * STEP % d->n;
        sum += r[i].x + r[i].y + r[i].z + r[i].vx + r[i].vy + r[i].vz + r[i].mass +
               r[i].kind;
    }
    return sum;
}

KERNEL uint32_t pick_soa(const struct data *d)
{
    struct arrays a = d->soa;
    uint32_t sum = 0;
    for (size_t k = 0; k < d->n; k++) {
        size_t i = k * STEP % d->n;
        sum += a.x[i] + a.y[i] + a.z[i] + a.vx[i] + a.vy[i] + a.vz[i] + a.mass[i] +
               a.kind[i];
    }
    return sum;
}

KERNEL uint32_t pick_blocks(const struct data *d)
{
    struct block *b = d->blocks;
    uint32_t sum = 0;
    for (size_t k = 0; k < d->n; k++) {
        size_t i = k * STEP % d->n;
        sum += b[i / WIDTH].x[i % WIDTH] + b[i / WIDTH].y[i % WIDTH] + b[i / WIDTH].z[i %
               WIDTH] + b[i / WIDTH].vx[i % WIDTH] + b[i / WIDTH].vy[i % WIDTH] + b[i /
               WIDTH].vz[i % WIDTH] + b[i / WIDTH].mass[i % WIDTH] + b[i / WIDTH].kind[i %
               WIDTH];
    }
    return sum;
}

KERNEL void move_aos(const struct data *d)
{
    struct record *r = d->aos;
    for (size_t i = 0; i < d->n; i++) {
        r[i].x += r[i].vx;
        r[i].y += r[i].vy;
        r[i].z += r[i].vz;
    }
}

/* Six pointers that nothing says are apart. */
KERNEL void move_soa(uint32_t *x, uint32_t *y, uint32_t *z, const uint32_t *vx,
                     const uint32_t *vy, const uint32_t *vz, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] += vx[i];
        y[i] += vy[i];
        z[i] += vz[i];
    }
}

KERNEL void move_restrict(uint32_t *restrict x, uint32_t *restrict y, uint32_t *restrict z,
                          const uint32_t *restrict vx, const uint32_t *restrict vy,
                          const uint32_t *restrict vz, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] += vx[i];
        y[i] += vy[i];
        z[i] += vz[i];
    }
}

KERNEL void move_blocks(const struct data *d)
{
    struct block *b = d->blocks;
    for (size_t k = 0; k < d->n / WIDTH; k++)
        for (size_t i = 0; i < WIDTH; i++) {
            b[k].x[i] += b[k].vx[i];
            b[k].y[i] += b[k].vy[i];
            b[k].z[i] += b[k].vz[i];
        }
}

static uint32_t moved_aos(const struct data *d)
{
    move_aos(d);
    return 0;
}

static uint32_t moved_soa(const struct data *d)
{
    struct arrays a = d->soa;
    move_restrict(a.x, a.y, a.z, a.vx, a.vy, a.vz, d->n);
    return 0;
}

static uint32_t moved_blocks(const struct data *d)
{
    move_blocks(d);
    return 0;
}

static uint32_t moved_plain(const struct data *d)
{
    struct arrays a = d->soa;
    move_soa(a.x, a.y, a.z, a.vx, a.vy, a.vz, d->n);
    return 0;
}

typedef uint32_t (*kernel)(const struct data *);
/* The soa of move is the one with restrict. */
static const char *const operations[] = {"one", "all", "move", "pick"};
static const char *const layouts[] = {"aos", "soa", "blocks"};
static const kernel kernels[4][3] = {{one_aos, one_soa, one_blocks},
                                     {all_aos, all_soa, all_blocks},
                                     {moved_aos, moved_soa, moved_blocks},
                                     {pick_aos, pick_soa, pick_blocks}};

static void die(const char *message)
{
    fprintf(stderr, "layout: %s\n", message);
    exit(2);
}

static void *room(size_t bytes)
{
    void *p = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!p)
        die("out of memory");
    memset(p, 0, bytes);
    return p;
}

static struct data prepare(size_t n)
{
    struct data d = {n, room(n * sizeof(struct record)), {0}, room(n * FIELDS * sizeof(uint32_t))};
    uint32_t **arrays[FIELDS] = {&d.soa.x, &d.soa.y, &d.soa.z, &d.soa.vx,
                                 &d.soa.vy, &d.soa.vz, &d.soa.mass, &d.soa.kind};
    for (size_t f = 0; f < FIELDS; f++) {
        *arrays[f] = room(n * sizeof(uint32_t));
        for (size_t i = 0; i < n; i++) {
            uint32_t value = (uint32_t)((i * FIELDS + f) * 2654435761u);
            (&d.aos[i].x)[f] = value;
            (*arrays[f])[i] = value;
            (&d.blocks[i / WIDTH].x)[f][i % WIDTH] = value;
        }
    }
    return d;
}

/* Pushes everything else out of the simulated caches. */
static void evict(void)
{
    volatile char *scratch = room(SCRATCH);
    for (size_t i = 0; i < SCRATCH; i += 64)
        scratch[i] = 1;
    free((void *)scratch);
}

/* All layouts hold the same numbers, before and after they were moved. */
static void check(const struct data *d)
{
    for (int o = 0; o < 4; o++) {
        uint32_t sums[3];
        for (int l = 0; l < 3; l++) {
            sums[l] = kernels[o][l](d);
            if (o == 2)
                sums[l] = kernels[1][l](d);
        }
        if (sums[0] != sums[1] || sums[0] != sums[2])
            die("the layouts differ");
    }
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench(const struct data *d)
{
    static const kernel timed[] = {one_aos, one_soa, one_blocks, one_aos,
                                   all_aos, all_soa, all_blocks, all_aos,
                                   moved_aos, moved_soa, moved_blocks, moved_plain,
                                   pick_aos, pick_soa, pick_blocks, pick_aos};
    static double seconds[16][ROUNDS];
    size_t passes = 1 + (1u << 22) / d->n; /* few records: long enough for the clock */
    for (int round = -1; round < ROUNDS; round++) /* round -1 warms up */
        for (int turn = 0; turn < 16; turn++) {
            int k = round % 2 ? 15 - turn : turn;
            double begin = cpu_seconds();
            for (size_t pass = 0; pass < passes; pass++)
                sink += timed[k](d);
            double end = cpu_seconds();
            if (round >= 0)
                seconds[k][round] = (end - begin) / (double)passes;
        }
    for (int k = 0; k < 16; k++) {
        const char *last = k == 11 ? "plain" : "again"; /* soa without restrict, aos once more */
        printf("%s\"%s_%s\": [", k ? ", " : "{", operations[k / 4], k % 4 == 3 ? last : layouts[k % 4]);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.12f", round ? ", " : "", seconds[k][round]);
        printf("]");
    }
    printf("}\n");
}

static int place(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (!strcmp(names[k], name))
            return k;
    die("no such operation or layout");
    return 0;
}

int main(int argc, char **argv)
{
    int count = argc == 5 && !strcmp(argv[1], "count");
    if (!count && !(argc == 3 && !strcmp(argv[1], "bench")))
        die("usage: layout count one|all|move|pick aos|soa|blocks N | layout bench N");
    long n = atol(argv[argc - 1]);
    if (n < WIDTH || n > 1 << 22 || n % WIDTH)
        die("N must be a multiple of 32, from 32 to 4194304");
    struct data d = prepare((size_t)n);
    if (count) {
        kernel k = kernels[place(operations, 4, argv[2])][place(layouts, 3, argv[3])];
        evict();
        sink += k(&d);
    } else {
        check(&d);
        bench(&d);
    }
    return 0;
}
