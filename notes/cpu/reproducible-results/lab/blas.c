/* A scalar product and a matrix product of OpenBLAS: prints the bits of the one and a checksum of
   the bits of the other. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

double cblas_ddot(int n, const double *x, int xstep, const double *y, int ystep);
void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc);
char *openblas_get_corename(void);

enum { N = 100000, M = 96 };
static double x[N], y[N], c[M * M];

int main(void)
{
    uint64_t state = 1, sum = 0, bits;
    for (int i = 0; i < N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(state >> 11) * 0x1p-53;
        state = state * 6364136223846793005u + 1442695040888963407u;
        y[i] = (double)(state >> 11) * 0x1p-53;
    }
    cblas_dgemm(101, 111, 111, M, M, M, 1, x, M, y, M, 0, c, M);
    for (int i = 0; i < M * M; i++) {
        memcpy(&bits, c + i, sizeof bits);
        sum = sum * 31 + bits;
    }
    printf("%s ddot %a dgemm %016llx\n", openblas_get_corename(), cblas_ddot(N, x, 1, y, 1), (unsigned long long)sum);
    return 0;
}
