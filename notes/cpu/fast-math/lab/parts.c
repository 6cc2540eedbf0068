/* What a program sees of each part of -ffast-math; prints one JSON object. The functions take what
   the compiler must not know beforehand, and are compiled with the flags under study. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <xmmintrin.h>

#define KEPT __attribute__((noipa))

KEPT int is_nan(double x) { return isnan(x); }
KEPT int differs(double x) { return x != x; }
KEPT double add_zero(double x) { return x + 0.0; }
KEPT double tenth(double x) { return x / 10.0; }
KEPT double lost(double large, double small) { return (large + small) - large; }
KEPT double half(double x) { return x / 2; }
KEPT double root(double x) { return sqrt(x); }
KEPT double larger(double a, double b) { return fmax(a, b); }
KEPT double complex product(double complex a, double complex b) { return a * b; }

/* Kahan's sum: c holds what the last addition lost. */
KEPT double kahan(const double *a, long n)
{
    double sum = 0, c = 0;
    for (long i = 0; i < n; i++) {
        double y = a[i] - c, t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    return sum;
}

KEPT void selected(float *restrict out, const float *restrict a, const float *restrict b)
{
    for (int i = 0; i < 1024; i++) {
        float quotient = b[i] / a[i];
        out[i] = a[i] > 0 ? quotient : 0;
    }
}

KEPT double three(double x, double y, double z, double by)
{
    return (x / by) * (y / by) - z / by;
}

/* Bits, so that no flag reaches them. */
static uint64_t bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static double from_bits(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

int main(void)
{
    enum { N = 1000000 };
    static double a[N];
    static float ones[1024], out[1024];
    double nan = from_bits(0x7ff8000000000000), smallest = from_bits(0x0010000000000000);
    for (long i = 0; i < N; i++)
        a[i] = 0.1;
    selected(out, ones, ones);
    /* The spacing of doubles just above 100,000 is 2^-36. */
    double off = (kahan(a, N) - 100000) * 68719476736.0;
    printf("{\"is_nan\": %d, \"differs\": %d, \"minus_zero\": %d, \"tenth_off\": %d, \"kahan_off\": %.0f,\n"
           " \"lost\": %.0f, \"half_is_zero\": %d, \"mxcsr\": %u}\n",
           is_nan(nan), differs(nan), (int)(bits(add_zero(-0.0)) >> 63),
           (int)(bits(tenth(3)) - bits(0.3)), off < 0 ? -off : off, lost(1e16, 1),
           bits(half(smallest)) == 0, _mm_getcsr() & 0x8040);
    return root(2) + larger(1, 2) + three(1, 2, 3, 4) + creal(product(1, 2)) < 0;
}
