// A forward convolution as a tiled matrix product of 16-bit whole numbers, with five ways to fill a tile of the gathered
// factor: from a written matrix, or from the tensor, with more or less arithmetic in the loop.
// One step: 64 rows (output pixels) × 32 columns (channels at one place of the filter).
#include "conv.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, COLUMNS = 64, STEP = 32, VECTOR = 8 };       // a vector: 8 numbers of 16 bits, 16 bytes
#define APART __attribute__((noinline))                         // so that Valgrind counts the function by itself
#define INTO inline __attribute__((always_inline))              // and what it needs for the indices, with it

#ifdef COUNT
static long divisions;
#define DIV(a, b) (divisions++, (a) / (b))                      // the remainder then costs a product, not a division
#else
#define DIV(a, b) ((a) / (b))
#endif

static Layer l;
static int16_t *x, *w, *matrix;
static int16_t a_tile[ROWS * STEP], b_tile[COLUMNS * STEP];
static int32_t sums[ROWS * COLUMNS];

static const int16_t zeros[STEP];

static const int16_t *pixel(int n, int h, int v) { return &x[(((long)n * l.h + h) * l.w + v) * l.c]; }
static bool inside(int h, int v) { return h >= 0 && h < l.h && v >= 0 && v < l.w; }

// --- the written matrix ---------------------------------------------------------------------------------

APART static void im2col(void) {
    int16_t *to = matrix;
    for (int n = 0; n < l.n; n++)
        for (int p = 0; p < l.p; p++)
            for (int q = 0; q < l.q; q++)
                for (int r = 0; r < l.r; r++)
                    for (int s = 0; s < l.s; s++, to += l.c) {
                        int h = p * l.stride - l.pad + r, v = q * l.stride - l.pad + s;
                        const int16_t *from = inside(h, v) ? pixel(n, h, v) : NULL;
                        for (int c = 0; c < l.c; c += VECTOR) memcpy(to + c, from ? from + c : zeros, VECTOR * sizeof *zeros);
                    }
}

APART static void load_matrix(long row, int r, int s, int c) {
    long width = (long)l.r * l.s * l.c;
    for (int i = 0; i < ROWS; i++)
        memcpy(&a_tile[i * STEP], &matrix[(row + i) * width + ((long)r * l.s + s) * l.c + c], STEP * sizeof *a_tile);
}

// --- the tensor, by arithmetic on the indices of the matrix ------------------------------------------------

typedef struct { int n, h, v; } Place;                          // the upper left corner of a window

static INTO Place corner(long row) {
    int n = DIV(row, l.p * l.q), rest = row - (long)n * l.p * l.q, p = DIV(rest, l.q), q = rest - p * l.q;
    return (Place){n, p * l.stride - l.pad, q * l.stride - l.pad};
}

typedef struct { int r, s, c; } Tap;

static INTO Tap tap(int column) {
    int place = DIV(column, l.c), r = DIV(place, l.s);
    return (Tap){r, place - r * l.s, column - place * l.c};
}

// For each number.
APART static void load_numbers(long row, int r, int s, int c) {
    int column = (r * l.s + s) * l.c + c;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < STEP; j++) {
            Place p = corner(row + i);
            Tap t = tap(column + j);
            int h = p.h + t.r, v = p.v + t.s;
            a_tile[i * STEP + j] = inside(h, v) ? pixel(p.n, h, v)[t.c] : 0;
        }
}

// For each vector: allowed if the channels are a multiple of 8, so that no vector leaves its pixel.
APART static void load_vectors(long row, int r, int s, int c) {
    int column = (r * l.s + s) * l.c + c;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < STEP; j += VECTOR) {
            Place p = corner(row + i);
            Tap t = tap(column + j);
            int h = p.h + t.r, v = p.v + t.s;
            memcpy(&a_tile[i * STEP + j], inside(h, v) ? pixel(p.n, h, v) + t.c : zeros, VECTOR * sizeof *zeros);
        }
}

// Rows taken apart once for all steps; the place in the filter is known to the loop around.
static Place places[ROWS];
APART static void begin_rows(long row) {
    for (int i = 0; i < ROWS; i++) places[i] = corner(row + i);
}
APART static void load_rows(long row, int r, int s, int c) {
    (void)row;
    for (int i = 0; i < ROWS; i++) {
        int h = places[i].h + r, v = places[i].v + s;
        memcpy(&a_tile[i * STEP], inside(h, v) ? pixel(places[i].n, h, v) + c : zeros, sizeof zeros);
    }
}

// A pointer and a mask of the places inside for each row; a step adds one number, the same for all rows, to the pointers.
static const int16_t *pointers[ROWS];
static uint32_t masks[ROWS];
static long next_column, next_row, next_channels;               // precomputed once for the layer
APART static void begin_table(long row) {
    next_column = l.c;
    next_row = (long)(l.w - (l.s - 1)) * l.c;
    next_channels = STEP - ((long)(l.r - 1) * l.w + l.s - 1) * l.c;
    for (int i = 0; i < ROWS; i++) {
        Place p = corner(row + i);
        pointers[i] = x + (((long)p.n * l.h + p.h) * l.w + p.v) * l.c;
        masks[i] = 0;
        for (int r = 0; r < l.r; r++)
            for (int s = 0; s < l.s; s++) masks[i] |= (uint32_t)inside(p.h + r, p.v + s) << (r * l.s + s);
    }
}
APART static void load_table(long row, int r, int s, int c) {
    (void)row, (void)c;
    uint32_t bit = 1u << (r * l.s + s);
    long step = s < l.s - 1 ? next_column : r < l.r - 1 ? next_row : next_channels;
    for (int i = 0; i < ROWS; i++) {
        memcpy(&a_tile[i * STEP], masks[i] & bit ? pointers[i] : zeros, sizeof zeros);
        pointers[i] += step;
    }
}

// --- the product -----------------------------------------------------------------------------------

APART static void load_filters(int column, int r, int s, int c) {
    for (int j = 0; j < COLUMNS; j++)
        memcpy(&b_tile[j * STEP], &w[(((long)(column + j) * l.r + r) * l.s + s) * l.c + c], STEP * sizeof *b_tile);
}

APART static void multiply(void) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int32_t sum = 0;
            for (int k = 0; k < STEP; k++) sum += a_tile[i * STEP + k] * b_tile[j * STEP + k];
            sums[i * COLUMNS + j] += sum;
        }
}

typedef struct {
    const char *name;
    void (*begin)(long row), (*load)(long row, int r, int s, int c);
} Way;
static const Way ways[] = {
    {"matrix", NULL, load_matrix}, {"numbers", NULL, load_numbers}, {"vectors", NULL, load_vectors},
    {"rows", begin_rows, load_rows}, {"table", begin_table, load_table},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void convolve(const Way *way, int32_t *y) {
    if (way->load == load_matrix) im2col();
    for (long row = 0; row < (long)l.n * l.p * l.q; row += ROWS)
        for (int column = 0; column < l.k; column += COLUMNS) {
            memset(sums, 0, sizeof sums);
            if (way->begin) way->begin(row);
            for (int c = 0; c < l.c; c += STEP)
                for (int r = 0; r < l.r; r++)
                    for (int s = 0; s < l.s; s++) {
                        way->load(row, r, s, c);
                        load_filters(column, r, s, c);
                        multiply();
                    }
            for (int i = 0; i < ROWS; i++) memcpy(&y[(row + i) * l.k + column], &sums[i * COLUMNS], COLUMNS * sizeof *y);
        }
}

static void direct(int32_t *y) {
    for (int n = 0; n < l.n; n++)
        for (int p = 0; p < l.p; p++)
            for (int q = 0; q < l.q; q++)
                for (int k = 0; k < l.k; k++) {
                    int32_t sum = 0;
                    for (int r = 0; r < l.r; r++)
                        for (int s = 0; s < l.s; s++) {
                            int h = p * l.stride - l.pad + r, v = q * l.stride - l.pad + s;
                            if (!inside(h, v)) continue;
                            const int16_t *a = pixel(n, h, v), *b = &w[(((long)k * l.r + r) * l.s + s) * l.c];
                            for (int c = 0; c < l.c; c++) sum += a[c] * b[c];
                        }
                    *y++ = sum;
                }
}

static int16_t *numbers(long count) {
    int16_t *t = aligned_alloc(64, (count * sizeof *t + 63) / 64 * 64);
    for (long i = 0; i < count; i++) t[i] = rand() % 201 - 100;
    return t;
}

// Reads and writes 4 MiB, so that no tensor is left in the simulated caches.
static volatile char other[4 << 20];
static void forget(void) {
    for (size_t i = 0; i < sizeof other; i += 64) other[i]++;
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: gather check|WAY K STRIDE\n"), 2;
    l = layer(4, 28, 64, atoi(argv[2]), 3, atoi(argv[3]), 1);
    long m = (long)l.n * l.p * l.q;
    if (m % ROWS) return fprintf(stderr, "rows must fill tiles of 64\n"), 2;
    long width = (long)l.r * l.s * l.c;
    // The corner of a window may lie before the tensor: a border in front, so that such a pointer stays within the array.
    x = numbers((long)(l.n * l.h + 2) * l.w * l.c + 2 * l.c) + (l.w + 1) * l.c;
    w = numbers(l.k * width);
    matrix = aligned_alloc(64, m * width * sizeof *matrix);
    int32_t *y = aligned_alloc(64, m * l.k * sizeof *y);
    forget();
    if (strcmp(argv[1], "check")) {
        for (int i = 0; i < WAYS; i++)
            if (!strcmp(argv[1], ways[i].name)) return convolve(&ways[i], y), 0;
        return 2;
    }
    int32_t *right = malloc(m * l.k * sizeof *right);
    direct(right);
    printf("{\"fetched\": %ld, \"products\": %.0f", m * width * l.k / COLUMNS, (double)m * width * l.k);
    long wrong = 0;
    for (int i = 0; i < WAYS; i++) {
#ifdef COUNT
        divisions = 0;
#endif
        memset(y, 0, m * l.k * sizeof *y);
        convolve(&ways[i], y);
        for (long j = 0; j < m * l.k; j++) wrong += y[j] != right[j];
#ifdef COUNT
        printf(", \"%s\": %ld", ways[i].name, divisions);
#endif
    }
    printf(", \"wrong\": %ld}\n", wrong);
    return 0;
}
