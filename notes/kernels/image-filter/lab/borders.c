/* The same column pass with and without a border test before each product, to see what GCC makes of
 * it.  The second one leaves the first and last R rows out.  Compiled, not run. */
#include <stdint.h>

enum { R = 6, W = 720 };
extern const float weights[2 * R + 1];

static int clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

void tested(const float *restrict mid, uint8_t *restrict out, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < W; x++) {
            float sum = 0;
            for (int j = -R; j <= R; j++)
                sum += weights[j + R] * mid[clamp(y + j, h) * W + x];
            out[y * W + x] = (uint8_t)(sum + 0.5f);
        }
}

void inside(const float *restrict mid, uint8_t *restrict out, int h)
{
    for (int y = R; y < h - R; y++)
        for (int x = 0; x < W; x++) {
            float sum = 0;
            for (int j = -R; j <= R; j++)
                sum += weights[j + R] * mid[(y + j) * W + x];
            out[y * W + x] = (uint8_t)(sum + 0.5f);
        }
}
