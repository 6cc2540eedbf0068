/* One Gaussian blur, written seven ways.  `./blur show` prints the table of the note.
 *
 * The image is W x H bytes, one channel.  Outside it a pixel has the value of the nearest one inside.
 * Compile with -DCOUNT to count multiplications: the macro MUL then counts before it multiplies. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { R = 6, K = 2 * R + 1, W = 720, STRIP = 240, MOST = 60 }; /* sigma 2, cut at three sigmas: 13 taps */
static const double SIGMA = 2.0;

#ifdef COUNT
static uint64_t products;
#define MUL(a, b) (products++, (a) * (b))
#else
#define MUL(a, b) ((a) * (b))
#endif
#define ALONE __attribute__((noinline, noclone))

static double exact[K];       /* the weights, sum 1 */
static float flat[K];         /* the same as float */
static float square[K][K];    /* all products of two weights: the filter in two dimensions */
static uint16_t w8[K];        /* the same in units of 1/256, sum 256 */
static uint16_t w16[K];       /* in units of 1/65536; the sum is 65535, so that nothing overflows */

static int clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
static uint8_t to_byte(float v) { return (uint8_t)(v + 0.5f); }

/* Integers that stand for the weights w, with a given sum: round, and let the middle take the rest. */
static void integers(const double *w, int taps, int sum, uint16_t *out)
{
    int left = sum;
    for (int i = 0; i < taps; i++)
        left -= out[i] = (uint16_t)lround(w[i] * sum);
    out[taps / 2] = (uint16_t)(out[taps / 2] + left);
}

static void gaussian(double sigma, int radius, double *w)
{
    double sum = 0;
    for (int i = -radius; i <= radius; i++)
        sum += w[i + radius] = exp(-i * i / (2 * sigma * sigma));
    for (int i = 0; i < 2 * radius + 1; i++)
        w[i] /= sum;
}

/* 1. The definition: K * K products for each pixel, and a border test before each. */
ALONE void direct(const uint8_t *in, uint8_t *out, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < W; x++) {
            float sum = 0;
            for (int j = -R; j <= R; j++)
                for (int i = -R; i <= R; i++)
                    sum += MUL(square[j + R][i + R], in[clamp(y + j, h) * W + clamp(x + i, W)]);
            out[y * W + x] = to_byte(sum);
        }
}

/* The row pass with a border test before each product. */
ALONE void rows_tested(const uint8_t *in, float *mid, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < W; x++) {
            float sum = 0;
            for (int i = -R; i <= R; i++)
                sum += MUL(flat[i + R], in[y * W + clamp(x + i, W)]);
            mid[y * W + x] = sum;
        }
}

/* 2. The column pass, down one column after the other. */
ALONE void columns_down(const float *mid, uint8_t *out, int h)
{
    for (int x = 0; x < W; x++)
        for (int y = 0; y < h; y++) {
            float sum = 0;
            for (int j = -R; j <= R; j++)
                sum += MUL(flat[j + R], mid[clamp(y + j, h) * W + x]);
            out[y * W + x] = to_byte(sum);
        }
}

/* The same in strips of 16 columns: one cache line of floats. */
ALONE void columns_strips(const float *mid, uint8_t *out, int h)
{
    for (int s = 0; s < W; s += 16)
        for (int y = 0; y < h; y++)
            for (int x = s; x < s + 16; x++) {
                float sum = 0;
                for (int j = -R; j <= R; j++)
                    sum += MUL(flat[j + R], mid[clamp(y + j, h) * W + x]);
                out[y * W + x] = to_byte(sum);
            }
}

/* 3. The same with the loops exchanged: row after row of the result. */
ALONE void columns_along(const float *mid, uint8_t *out, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < W; x++) {
            float sum = 0;
            for (int j = -R; j <= R; j++)
                sum += MUL(flat[j + R], mid[clamp(y + j, h) * W + x]);
            out[y * W + x] = to_byte(sum);
        }
}

/* n pixels of a row from x0 on, with R more at either end, which may lie outside of the image: from
 * here on no inner loop asks where the border is. */
static void pad(const uint8_t *row, uint8_t *wide, int x0, int n)
{
    for (int i = 0; i < R; i++) {
        wide[i] = row[clamp(x0 - R + i, W)];
        wide[R + n + i] = row[clamp(x0 + n + i, W)];
    }
    memcpy(wide + R, row + x0, (size_t)n);
}

/* n pixels of a row of the row pass; GCC computes several pixels at once. */
static inline void row_float(const uint8_t *restrict wide, float *restrict mid, int n)
{
    for (int x = 0; x < n; x++) {
        float sum = 0;
        for (int i = 0; i < K; i++)
            sum += MUL(flat[i], wide[x + i]);
        mid[x] = sum;
    }
}

/* A row of the result from the K rows around it. */
static inline void column_float(const float *const *around, uint8_t *restrict out, int pixels)
{
    const float *a = around[0], *b = around[1], *c = around[2], *d = around[3], *e = around[4],
                *f = around[5], *g = around[6], *i = around[7], *j = around[8], *k = around[9],
                *l = around[10], *m = around[11], *n = around[12];
    for (int x = 0; x < pixels; x++)
        out[x] = to_byte(MUL(flat[0], a[x]) + MUL(flat[1], b[x]) + MUL(flat[2], c[x])
                         + MUL(flat[3], d[x]) + MUL(flat[4], e[x]) + MUL(flat[5], f[x])
                         + MUL(flat[6], g[x]) + MUL(flat[7], i[x]) + MUL(flat[8], j[x])
                         + MUL(flat[9], k[x]) + MUL(flat[10], l[x]) + MUL(flat[11], m[x])
                         + MUL(flat[12], n[x]));
}

/* 4. Borders outside: rows are padded, and the rows above and below are chosen once a row. */
ALONE void padded(const uint8_t *in, uint8_t *out, float *mid, int h)
{
    uint8_t wide[W + 2 * R];
    for (int y = 0; y < h; y++) {
        pad(in + y * W, wide, 0, W);
        row_float(wide, mid + y * W, W);
    }
    for (int y = 0; y < h; y++) {
        const float *around[K];
        for (int j = 0; j < K; j++)
            around[j] = mid + clamp(y + j - R, h) * W;
        column_float(around, out + y * W, W);
    }
}

/* 5. Both passes in one loop over a window of K rows, instead of a whole image between them; for the
 * strip of n columns from x0 on. */
static inline __attribute__((always_inline)) void window_strip(const uint8_t *in, uint8_t *out, float *ring, int h, int x0, int n)
{
    uint8_t wide[W + 2 * R];
    int done = 0; /* rows of the row pass so far */
    for (int y = 0; y < h; y++) {
        for (; done < h && done <= y + R; done++) {
            pad(in + done * W, wide, x0, n);
            row_float(wide, ring + done % K * n, n);
        }
        const float *around[K];
        for (int j = 0; j < K; j++)
            around[j] = ring + clamp(y + j - R, h) % K * n;
        column_float(around, out + y * W + x0, n);
    }
}

ALONE void window(const uint8_t *in, uint8_t *out, float *ring, int h)
{
    window_strip(in, out, ring, h, 0, W);
}

/* The same in strips, whose window fits the first-level cache. */
ALONE void tiled(const uint8_t *in, uint8_t *out, float *ring, int h)
{
    for (int x0 = 0; x0 < W; x0 += STRIP)
        window_strip(in, out, ring, h, x0, STRIP);
}

/* Row pass in 16 bits: weights in 1/256 times bytes; the sum is at most 256 * 255. */
static inline void row_fixed(const uint8_t *restrict wide, uint16_t *restrict mid)
{
    for (int x = 0; x < W; x++) {
        uint16_t sum = 0;
        for (int i = 0; i < K; i++)
            sum = (uint16_t)(sum + MUL(w8[i], wide[x + i]));
        mid[x] = sum;
    }
}

/* The upper half of a product of 16 bits by 16 bits: one instruction for all lanes (pmulhuw). */
#define HIGH(w, v) ((uint16_t)(MUL((uint32_t)(w), (uint32_t)(v)) >> 16))

/* Column pass in 16 bits. */
static inline void column_fixed(const uint16_t *const *around, uint8_t *restrict out)
{
    const uint16_t *a = around[0], *b = around[1], *c = around[2], *d = around[3], *e = around[4],
                   *f = around[5], *g = around[6], *i = around[7], *j = around[8], *k = around[9],
                   *l = around[10], *m = around[11], *n = around[12];
    for (int x = 0; x < W; x++) {
        uint16_t sum = (uint16_t)(HIGH(w16[0], a[x]) + HIGH(w16[1], b[x]) + HIGH(w16[2], c[x])
                                  + HIGH(w16[3], d[x]) + HIGH(w16[4], e[x]) + HIGH(w16[5], f[x])
                                  + HIGH(w16[6], g[x]) + HIGH(w16[7], i[x]) + HIGH(w16[8], j[x])
                                  + HIGH(w16[9], k[x]) + HIGH(w16[10], l[x]) + HIGH(w16[11], m[x])
                                  + HIGH(w16[12], n[x]));
        /* Each upper half is cut off: half a unit for each of the K products makes up for it. */
        out[x] = (uint8_t)((uint16_t)(sum + 128 + K / 2) >> 8);
    }
}

/* 6. As 5, in 16-bit integers. */
ALONE void fixed(const uint8_t *in, uint8_t *out, uint16_t *ring, int h)
{
    uint8_t wide[W + 2 * R];
    int done = 0;
    for (int y = 0; y < h; y++) {
        for (; done < h && done <= y + R; done++) {
            pad(in + done * W, wide, 0, W);
            row_fixed(wide, ring + done % K * W);
        }
        const uint16_t *around[K];
        for (int j = 0; j < K; j++)
            around[j] = ring + clamp(y + j - R, h) % K * W;
        column_fixed(around, out + y * W);
    }
}

/* A box of 2r + 1 pixels along a row of n, as a running sum: one pixel enters, one leaves.  Values are
 * in units of 1/256.  The first and last r pixels have no whole box and are left as they are. */
ALONE void box_row(const uint16_t *restrict in, uint16_t *restrict out, int n, int r)
{
    const uint32_t inverse = 65536u / (uint32_t)(2 * r + 1);
    uint32_t sum = 0;
    for (int i = 0; i < 2 * r; i++)
        sum += in[i];
    for (int x = r; x < n - r; x++) {
        sum += in[x + r];
        out[x] = (uint16_t)(sum * inverse >> 16);
        sum -= in[x - r];
    }
}

/* The same down all columns at once: a running sum for each column, and no chain along the row. */
ALONE void box_columns(const uint16_t *restrict in, uint16_t *restrict out, int rows, int r)
{
    uint32_t sum[W] = {0};
    const uint32_t inverse = 65536u / (uint32_t)(2 * r + 1);
    for (int j = 0; j < 2 * r; j++)
        for (int x = 0; x < W; x++)
            sum[x] += in[j * W + x];
    for (int y = r; y < rows - r; y++) {
        const uint16_t *enters = in + (y + r) * W, *leaves = in + (y - r) * W;
        uint16_t *row = out + y * W;
        for (int x = 0; x < W; x++) {
            uint32_t all = sum[x] + enters[x];
            row[x] = (uint16_t)(all * inverse >> 16);
            sum[x] = all - leaves[x];
        }
    }
}

/* Odd sizes of three boxes whose variance comes nearest to sigma squared: a box of s pixels has
 * (s * s - 1) / 12, and variances add up. */
static void box_radii(double sigma, int r[3])
{
    double best = 1e9;
    for (int a = 0; a < 40; a++)
        for (int larger = 0; larger <= 3; larger++) {
            double variance = 0;
            for (int i = 0; i < 3; i++) {
                int s = 2 * (a + (i < larger)) + 1;
                variance += (s * s - 1) / 12.0;
            }
            if (fabs(variance - sigma * sigma) < best) {
                best = fabs(variance - sigma * sigma);
                for (int i = 0; i < 3; i++)
                    r[i] = a + (i < larger);
            }
        }
}

/* 7. Three boxes instead of the Gaussian: the work does not depend on sigma.  The image is extended by
 * all three radii on each side, so that the borders mean the same as above. */
ALONE void boxes(const uint8_t *in, uint8_t *out, uint16_t *a, uint16_t *b, int h, const int r[3])
{
    const int t = r[0] + r[1] + r[2];
    uint16_t row[W + 2 * MOST], other[W + 2 * MOST];
    for (int y = -t; y < h + t; y++) {
        const uint8_t *from = in + clamp(y, h) * W;
        for (int x = 0; x < t; x++) {
            row[x] = (uint16_t)(from[0] << 8);
            row[t + W + x] = (uint16_t)(from[W - 1] << 8);
        }
        for (int x = 0; x < W; x++)
            row[t + x] = (uint16_t)(from[x] << 8);
        box_row(row, other, W + 2 * t, r[0]);
        box_row(other, row, W + 2 * t, r[1]);
        box_row(row, other, W + 2 * t, r[2]);
        memcpy(a + (y + t) * W, other + t, W * sizeof *a);
    }
    box_columns(a, b, h + 2 * t, r[0]);
    box_columns(b, a, h + 2 * t, r[1]);
    box_columns(a, b, h + 2 * t, r[2]);
    for (int i = 0; i < W * h; i++)
        out[i] = (uint8_t)((b[t * W + i] + 128) >> 8);
}

/* As 5 without the window, for any radius: what two passes cost as sigma grows. */
ALONE void any_radius(const uint8_t *in, uint8_t *out, float *mid, int h, const float *w, int r)
{
    static uint8_t wide[W + 512];
    static float sum[W];
    for (int y = 0; y < h; y++) {
        memset(wide, in[y * W], (size_t)r);
        memcpy(wide + r, in + y * W, W);
        memset(wide + r + W, in[y * W + W - 1], (size_t)r);
        memset(sum, 0, sizeof sum);
        for (int i = 0; i <= 2 * r; i++)
            for (int x = 0; x < W; x++)
                sum[x] += MUL(w[i], wide[x + i]);
        memcpy(mid + y * W, sum, sizeof sum);
    }
    for (int y = 0; y < h; y++) {
        memset(sum, 0, sizeof sum);
        for (int j = -r; j <= r; j++) {
            const float *row = mid + clamp(y + j, h) * W;
            for (int x = 0; x < W; x++)
                sum[x] += MUL(w[j + r], row[x]);
        }
        for (int x = 0; x < W; x++)
            out[y * W + x] = to_byte(sum[x]);
    }
}

/* ---- Running, comparing and printing ---- */

static uint8_t *image, *result;
static float *floats;
static uint16_t *shorts, *more;
static int radii[3];
static float wide_weights[512];
static int wide_radius;

static void *array(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p)
        exit(1);
    memset(p, 0, bytes);
    return p;
}

static void prepare(int h)
{
    image = array((size_t)W * h);
    result = array((size_t)W * h);
    floats = array(sizeof(float) * W * h);
    shorts = array(sizeof(uint16_t) * W * (h + 2 * MOST));
    more = array(sizeof(uint16_t) * W * (h + 2 * MOST));
    gaussian(SIGMA, R, exact);
    for (int j = 0; j < K; j++) {
        flat[j] = (float)exact[j];
        for (int i = 0; i < K; i++)
            square[j][i] = (float)(exact[j] * exact[i]);
    }
    integers(exact, K, 256, w8);
    integers(exact, K, 65535, w16);
    box_radii(SIGMA, radii);
}

static void draw(int h, int kind)
{
    uint32_t seed = 1;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < W; x++) {
            seed = seed * 1664525 + 1013904223;
            int v = kind == 0 ? (int)(seed >> 24)                     /* noise */
                  : kind == 1 ? ((x / 37 + y / 29) % 2 ? 255 : 0)     /* hard edges */
                              : (x * 255 / W + y * 40 / h) * 7 / 8;   /* a slope */
            image[y * W + x] = (uint8_t)v;
        }
}

static void direct_(int h) { direct(image, result, h); }
static void down_(int h) { rows_tested(image, floats, h); columns_down(floats, result, h); }
static void strips_(int h) { rows_tested(image, floats, h); columns_strips(floats, result, h); }
static void along_(int h) { rows_tested(image, floats, h); columns_along(floats, result, h); }
static void padded_(int h) { padded(image, result, floats, h); }
static void window_(int h) { window(image, result, floats, h); }
static void tiled_(int h) { tiled(image, result, floats, h); }
static void fixed_(int h) { fixed(image, result, shorts, h); }
static void boxes_(int h) { boxes(image, result, shorts, more, h, radii); }
static void any_(int h) { any_radius(image, result, floats, h, wide_weights, wide_radius); }

enum { VERSIONS = 9 };
static const struct {
    const char *name, *words;
    void (*run)(int);
    int rows; /* of the data between the passes; 0: all */
    int bytes; /* of one number there */
} version[VERSIONS] = {
    {"direct", "1 one loop over 13 x 13", direct_, -1, 0},
    {"down", "2 two passes, down the columns", down_, 0, 4},
    {"strips", "  the same in strips of 16 columns", strips_, 0, 4},
    {"along", "3 two passes, along the rows", along_, 0, 4},
    {"padded", "4 no border in inner loops", padded_, 0, 4},
    {"window", "5 a window of 13 rows", window_, K, 4},
    {"tiled", "  the same in strips of 240", tiled_, K, 4},
    {"fixed", "6 the same in 16-bit integers", fixed_, K, 2},
    {"boxes", "7 three boxes each way", boxes_, 0, 2},
};

/* The exact filter in double, with w over 2r + 1 taps. */
static void reference(double *out, int h, const double *w, int r)
{
    double *mid = array(sizeof(double) * W * h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < W; x++)
            for (int i = -r; i <= r; i++)
                mid[y * W + x] += w[i + r] * image[y * W + clamp(x + i, W)];
    memset(out, 0, sizeof(double) * W * h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < W; x++)
            for (int j = -r; j <= r; j++)
                out[y * W + x] += w[j + r] * mid[clamp(y + j, h) * W + x];
    free(mid);
}

struct difference { int largest; double share, error; };

/* From the exact result: in whole grey levels after rounding, the share of pixels that differ, and
 * the largest error before the exact result is rounded. */
static struct difference compare(const double *wanted, int h)
{
    struct difference d = {0, 0, 0};
    for (int i = 0; i < W * h; i++) {
        int off = abs((int)floor(wanted[i] + 0.5) - result[i]);
        d.largest = off > d.largest ? off : d.largest;
        d.share += off != 0;
        d.error = fmax(d.error, fabs(wanted[i] - result[i]));
    }
    d.share /= W * h;
    return d;
}

static int show(int h)
{
    double *wanted[3];
    for (int k = 0; k < 3; k++) {
        draw(h, k);
        wanted[k] = array(sizeof(double) * W * h);
        reference(wanted[k], h, exact, R);
    }
    printf("%d x %d bytes, sigma 2, 13 taps        multiply  between the  off by    pixels\n", W, h);
    printf("                                       a pixel       passes at most   that are\n");
    char json[2000] = "{", *end = json + 1;
    for (int v = 0; v < VERSIONS; v++) {
        struct difference worst = {0, 0, 0};
        double each = 0;
        for (int k = 0; k < 3; k++) {
            draw(h, k);
#ifdef COUNT
            products = 0;
#endif
            version[v].run(h);
#ifdef COUNT
            each = (double)products / W / h;
#endif
            struct difference d = compare(wanted[k], h);
            worst.largest = d.largest > worst.largest ? d.largest : worst.largest;
            worst.share = fmax(worst.share, d.share);
        }
        int rows = version[v].rows == 0 ? h : version[v].rows < 0 ? 0 : version[v].rows;
        long bytes = (long)rows * (version[v].run == tiled_ ? STRIP : W) * version[v].bytes;
        printf("%-37s %8.1f %10ld B %7d %8.2f %%\n", version[v].words, each, bytes, worst.largest, 100 * worst.share);
        end += sprintf(end, "%s\"%s\": %.6f, \"%s_bytes\": %ld, \"%s_levels\": %d, \"%s_share\": %.6f", v ? ", " : "",
                       version[v].name, each, version[v].name, bytes, version[v].name, worst.largest, version[v].name, worst.share);
    }
    printf("%s, \"number\": %zu}\n", json, sizeof(float));
    return 0;
}

/* What integers do to the weights. */
static int weights(void)
{
    int off = 0, still = 0, largest = 0, least = 1 << 30, cases = 0;
    for (int tenths = 10; tenths <= 100; tenths++, cases++) {
        double w[101], sigma = tenths / 10.0;
        uint16_t mended[101];
        int r = (int)ceil(3 * sigma), sum = 0, mended_sum = 0;
        gaussian(sigma, r, w);
        integers(w, 2 * r + 1, 256, mended);
        for (int i = 0; i < 2 * r + 1; i++) {
            sum += (int)lround(w[i] * 256);
            mended_sum += mended[i];
        }
        off += sum != 256;
        still += mended_sum != 256;
        largest = sum > largest ? sum : largest;
        least = sum < least ? sum : least;
    }
    /* A white area, after both passes in exact arithmetic, and after one pass in 16 bits. */
    double dark = 255.0 * least / 256 * least / 256;
    int wrapped = (uint16_t)(255 * largest) >> 8;
    printf("sigma 1.0, 1.1, ... 10.0, weights in 1/256, each rounded: %d of %d sums are not 256\n", off, cases);
    printf("least sum   %d: white (255) becomes %.0f after two passes\n", least, dark);
    printf("largest sum %d: white becomes %d after one pass in 16 bits\n", largest, wrapped);
    printf("the middle weight takes what is left: %d of %d sums are not 256\n", still, cases);

    /* The image that is worst for version 6 at one pixel: white where its weight is too large. */
    const int h = K, x0 = 300;
    memset(image, 0, (size_t)W * h);
    for (int j = 0; j < K; j++)
        for (int i = 0; i < K; i++)
            if (w8[i] / 256.0 * (w16[j] / 65536.0) > exact[i] * exact[j])
                image[j * W + x0 + i - R] = 255;
    double *wanted = array(sizeof(double) * W * h);
    reference(wanted, h, exact, R);
    const double right = wanted[R * W + x0];
    fixed(image, result, shorts, h);
    double worst = result[R * W + x0] - right;
    window(image, result, floats, h);
    double in_float = fabs(result[R * W + x0] - right);
    printf("version 6 on the image made to be worst for it: %.2f grey levels off; version 5: %.2f\n", worst, in_float);
    printf("{\"cases\": %d, \"off\": %d, \"still\": %d, \"least\": %d, \"largest\": %d, \"dark\": %.6f, "
           "\"wrapped\": %d, \"worst\": %.6f, \"in_float\": %.6f}\n",
           cases, off, still, least, largest, dark, wrapped, worst, in_float);
    return 0;
}

/* k convolved with a box of s whole pixels, the first of them at `first`, and `ends` of a pixel more
 * at either end. */
enum { N = 401, C = 200 };
static void box(double *k, int s, int first, double ends)
{
    double next[N];
    for (int i = 0; i < N; i++) {
        next[i] = 0;
        for (int j = first - 1; j <= first + s; j++) {
            double weight = j < first || j >= first + s ? ends : 1;
            if (i - j >= 0 && i - j < N)
                next[i] += weight * k[i - j] / (s + 2 * ends);
        }
    }
    memcpy(k, next, sizeof next);
}

/* The largest error of k beside an edge from black to white, in grey levels. */
static double at_edge(const double *k, const double *w)
{
    double sum = 0, largest = 0;
    for (int i = 0; i < N; i++) {
        sum += k[i] - w[i];
        largest = fmax(largest, 255 * fabs(sum));
    }
    return largest;
}

/* Three boxes against the Gaussian: whole odd ones, those of SVG, and boxes with parts of a pixel. */
static int edges(int h)
{
    printf("                    their  off at an edge, grey levels   whole images:\n");
    printf("sigma  odd boxes  sigma       odd       SVG     parts     odd, at most\n");
    char json[2000] = "{", *end = json + 1;
    for (int s = 1; s <= 16; s *= 2) {
        double w[N], odd[N] = {0}, svg[N] = {0}, parts[N] = {0}, variance = 0;
        gaussian(s, C, w);
        odd[C] = svg[C] = parts[C] = 1;
        int r[3];
        box_radii(s, r);
        for (int b = 0; b < 3; b++) {
            int size = 2 * r[b] + 1;
            box(odd, size, -r[b], 0);
            variance += (size * size - 1) / 12.0;
        }
        int d = (int)floor(s * 3 * sqrt(2 * M_PI) / 4 + 0.5);
        box(svg, d, -(d / 2), 0);
        box(svg, d, d % 2 ? -(d / 2) : 1 - d / 2, 0);
        box(svg, d + 1 - d % 2, -((d + 1 - d % 2) / 2), 0);
        /* The part that makes the variance of each of the three a third of sigma squared. */
        double v = s * s / 3.0;
        int whole = (int)floor((sqrt(12 * v + 1) - 1) / 2);
        double part = (2 * whole + 1) * (whole * (whole + 1) - 3 * v) / (6 * (v - (whole + 1) * (whole + 1)));
        for (int b = 0; b < 3; b++)
            box(parts, 2 * whole + 1, -whole, part);
        double off[3] = {at_edge(odd, w), at_edge(svg, w), at_edge(parts, w)};
        /* The same on whole images, with version 7. */
        int largest = 0;
        double *wanted = array(sizeof(double) * W * h);
        memcpy(radii, r, sizeof radii);
        for (int kind = 0; kind < 3; kind++) {
            draw(h, kind);
            reference(wanted, h, w + C - 4 * s, 4 * s);
            boxes_(h);
            struct difference d3 = compare(wanted, h);
            largest = d3.largest > largest ? d3.largest : largest;
        }
        free(wanted);
        printf("%5d   %2d %2d %2d  %6.2f  %8.2f  %8.2f  %8.2f  %15d\n", s, 2 * r[0] + 1, 2 * r[1] + 1,
               2 * r[2] + 1, sqrt(variance), off[0], off[1], off[2], largest);
        end += sprintf(end, "%s\"odd_%d\": %.6f, \"svg_%d\": %.6f, \"parts_%d\": %.6f, \"sigma_%d\": %.6f, \"image_%d\": %d",
                       s > 1 ? ", " : "", s, off[0], s, off[1], s, off[2], s, sqrt(variance), s, largest);
    }
    printf("%s}\n", json);
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* CPU time in ms, versions interleaved; "again" is "down" a second time. */
static int timing(int h, int rounds)
{
    double ms[VERSIONS + 1][99];
    draw(h, 0);
    for (int n = -1; n < rounds; n++)
        for (int i = 0; i <= VERSIONS; i++) {
            int v = n % 2 ? VERSIONS - i : i;
            double start = now();
            version[v == VERSIONS ? 1 : v].run(h);
            if (n >= 0)
                ms[v][n] = now() - start;
        }
    printf("{");
    for (int v = 0; v <= VERSIONS; v++) {
        printf("%s\"%s\": [", v ? ", " : "", v == VERSIONS ? "again" : version[v].name);
        for (int n = 0; n < rounds; n++)
            printf("%s%.6f", n ? ", " : "", ms[v][n]);
        printf("]");
    }
    printf("}\n");
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "show";
    int h = argc > 2 ? atoi(argv[2]) : 96;
    prepare(h < K ? K : h);
    if (!strcmp(what, "show"))
        return show(h);
    if (!strcmp(what, "weights"))
        return weights();
    if (!strcmp(what, "edges"))
        return edges(h);
    if (!strcmp(what, "time"))
        return timing(h, argc > 3 ? atoi(argv[3]) : 15);
    draw(h, 0);
    if (argc > 3) { /* another sigma, for the versions that take one */
        double w[512];
        double sigma = atof(argv[3]);
        wide_radius = (int)ceil(3 * sigma);
        gaussian(sigma, wide_radius, w);
        for (int i = 0; i < 2 * wide_radius + 1; i++)
            wide_weights[i] = (float)w[i];
        box_radii(sigma, radii);
        if (!strcmp(what, "any"))
            return any_(h), 0;
    }
    for (int v = 0; v < VERSIONS; v++) /* once, to be counted from outside */
        if (!strcmp(what, version[v].name))
            return version[v].run(h), 0;
    fprintf(stderr, "usage: blur show|weights|edges|time|VERSION [rows [sigma]]\n");
    return 2;
}
