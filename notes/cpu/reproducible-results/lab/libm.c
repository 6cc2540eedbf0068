/* Writes the bits of seven functions of libm at many arguments, function by function. */
#include <math.h>
#include <stdio.h>

enum { N = 100000 };

static double power(double x) { return pow(x, 1.37); }

int main(void)
{
    static double (*const functions[])(double) = {sin, cos, exp, log, power, atan, sqrt};
    static double out[N];
    for (int f = 0; f < 7; f++) {
        for (int i = 0; i < N; i++)
            out[i] = functions[f]((i + 1) * 0x1.9p-13);
        if (fwrite(out, sizeof *out, N, stdout) != N)
            return 1;
    }
    return 0;
}
