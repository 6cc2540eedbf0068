/* A sum in order, a sum in eight lanes that the source fixes, and determinants, as the
   compiler arranges them: prints their bits. */
#include <stdint.h>
#include <stdio.h>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noipa))
#endif

enum { N = 10000 };
static double x[N], y[N];

KEPT static double sum(const double *a, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++)
        s += a[i];
    return s;
}

KEPT static double lanes(const double *a, long n)
{
    double s[8] = {0};
    for (long i = 0; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            s[k] += a[i + k];
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/* With d = a and c = b this is zero, unless one product is rounded and the other is not. */
KEPT static double det(double a, double b, double c, double d) { return a * b - c * d; }

int main(void)
{
    uint64_t state = 1;
    int nonzero = 0;
    double dets = 0;
    for (int i = 0; i < 2 * N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        *(i < N ? &x[i] : &y[i - N]) = (double)(state >> 11) * 0x1p-53;
    }
    for (int i = 0; i + 1 < N; i++) {
        dets += det(x[i], y[i], x[i + 1], y[i + 1]);
        nonzero += det(x[i], y[i], y[i], x[i]) != 0;
    }
    printf("sum %a  lanes %a\ndets %a  nonzero %d\n", sum(x, N), lanes(x, N), dets, nonzero);
    return 0;
}
