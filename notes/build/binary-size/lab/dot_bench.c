/* Time one source compiled with -O3, -O2 and -Os, interleaved; print the samples as JSON. */
#include <stdio.h>
#include <string.h>
#include <time.h>

float dot_o3(const float *a, const float *b, int n);
float dot_o2(const float *a, const float *b, int n);
float dot_os(const float *a, const float *b, int n);

enum { N = 4096, CALLS = 4000, ROUNDS = 15 };

static float a[N], b[N];
static volatile float sink;
static struct {
    const char *name;
    float (*run)(const float *, const float *, int);
    double seconds[ROUNDS];
} ways[] = {{.name = "o3", .run = dot_o3}, {.name = "o2", .run = dot_o2},
            {.name = "os", .run = dot_os}, {.name = "again", .run = dot_o3}};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "bench")) {
        fprintf(stderr, "usage: dot_bench bench\n");
        return 2;
    }
    float right = 0;
    for (int i = 0; i < N; i++) {       /* small whole numbers: every order gives the same sum */
        a[i] = i % 7;
        b[i] = i % 5;
        right += a[i] * b[i];
    }
    for (int r = -1; r < ROUNDS; r++)   /* round -1 warms up and checks */
        for (int w = 0; w < 4; w++) {
            double t = now();
            for (int c = 0; c < CALLS; c++)
                sink = ways[w].run(a, b, N);
            if (r >= 0)
                ways[w].seconds[r] = (now() - t) / CALLS;
            if (sink != right) {
                fprintf(stderr, "dot_bench: %s gives %g, not %g\n", ways[w].name, sink, right);
                return 1;
            }
        }
    for (int w = 0; w < 4; w++) {
        printf("%s\"%s\": [", w ? ", " : "{", ways[w].name);
        for (int r = 0; r < ROUNDS; r++)
            printf("%s%.9e", r ? ", " : "", ways[w].seconds[r]);
        printf("]");
    }
    printf("}\n");
    return 0;
}
