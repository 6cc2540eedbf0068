// FFTW as an example of a library that chooses by running: what its planner chooses, how often the choice
// changes, for which problems a stored choice is used, and what planning does to the arrays.
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 21, MOST = 8192, WITH_ROOM = 4 * MOST + 8 };

static fftw_complex *in, *out;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static fftw_plan plan_of(int n, unsigned flags) {
    return fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, flags);
}

// The plan as text. FFTW allocates it with malloc.
static char *text_of(int n, unsigned flags) {
    fftw_plan plan = plan_of(n, flags);
    char *text = fftw_sprint_plan(plan);
    fftw_destroy_plan(plan);
    return text;
}

// The different plans of ROUNDS plannings of one size, each without memory of those before.
typedef struct {
    int kinds, times[ROUNDS], most;
    char *text[ROUNDS];
    fftw_plan plan[ROUNDS];
} variety;

static variety plan_again_and_again(int n, unsigned flags) {
    variety v = {0};
    for (int i = 0; i < ROUNDS; i++) {
        fftw_forget_wisdom();
        fftw_plan plan = plan_of(n, flags);
        char *text = fftw_sprint_plan(plan);
        int k = 0;
        while (k < v.kinds && strcmp(v.text[k], text) != 0)
            k++;
        if (k == v.kinds) {
            v.text[k] = text;
            v.plan[k] = plan;
            v.kinds++;
        } else {
            free(text);
            fftw_destroy_plan(plan);
        }
        v.times[k]++;
        v.most = v.times[k] > v.most ? v.times[k] : v.most;
    }
    return v;
}

static void forget(variety *v) {
    for (int k = 0; k < v->kinds; k++) {
        free(v->text[k]);
        fftw_destroy_plan(v->plan[k]);
    }
}

static const int sizes[] = {60, 128, 360, 512, 1000, 1024, 2520, 4096};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void print_plans(void) {
    int total = 0, settled = 0, estimated = 0;
    printf("{\"rounds\": %d, \"sizes\": %d", ROUNDS, SIZES);
    for (int s = 0; s < SIZES; s++) {
        variety measure = plan_again_and_again(sizes[s], FFTW_MEASURE);
        variety guess = plan_again_and_again(sizes[s], FFTW_ESTIMATE);
        printf(", \"plans_%d\": %d, \"most_%d\": %d", sizes[s], measure.kinds, sizes[s], measure.most);
        total += measure.kinds;
        settled += measure.kinds == 1;
        estimated += guess.kinds;
        forget(&measure);
        forget(&guess);
    }
    printf(", \"measured\": %d, \"settled\": %d, \"estimated\": %d}\n", total, settled, estimated);
}

// Numbers of the input that planning changed.
static int changed(int n, unsigned flags) {
    for (int i = 0; i < n; i++)
        in[i][0] = in[i][1] = i + 1;
    fftw_destroy_plan(plan_of(n, flags));
    int count = 0;
    for (int i = 0; i < n; i++)
        count += (in[i][0] != i + 1) + (in[i][1] != i + 1);
    return count;
}

static int found(fftw_plan plan) {
    if (plan)
        fftw_destroy_plan(plan);
    return plan != NULL;
}

// After one planning of n = 1024: which other problems find a stored choice?
static void print_hold(void) {
    const int n = 1024;
    const unsigned only = FFTW_MEASURE | FFTW_WISDOM_ONLY;
    fftw_forget_wisdom();
    int measure = changed(n, FFTW_MEASURE), with_wisdom = changed(n, FFTW_MEASURE);
    fftw_forget_wisdom();
    int estimate = changed(n, FFTW_ESTIMATE);
    int before = found(plan_of(n, only));
    char *guess = text_of(n, FFTW_ESTIMATE);
    char *choice = text_of(n, FFTW_MEASURE);
    char *later = text_of(n, FFTW_ESTIMATE);
    printf("{\"changed_measure\": %d, \"changed_wisdom\": %d, \"changed_estimate\": %d, \"before\": %d", measure,
           with_wisdom, estimate, before);
    printf(", \"same\": %d", found(plan_of(n, only)));
    fftw_complex *others = in + 2 * MOST;
    printf(", \"other_arrays\": %d", found(fftw_plan_dft_1d(n, others, out, FFTW_FORWARD, only)));
    fftw_complex *shifted = (fftw_complex *)((double *)others + 1);
    printf(", \"shifted\": %d", found(fftw_plan_dft_1d(n, shifted, out, FFTW_FORWARD, only)));
    printf(", \"in_place\": %d", found(fftw_plan_dft_1d(n, in, in, FFTW_FORWARD, only)));
    printf(", \"backward\": %d", found(fftw_plan_dft_1d(n, in, out, FFTW_BACKWARD, only)));
    printf(", \"next_size\": %d", found(plan_of(n + 1, only)));
    printf(", \"twice_size\": %d", found(plan_of(2 * n, only)));
    printf(", \"two_at_once\": %d",
           found(fftw_plan_many_dft(1, &n, 2, in, NULL, 1, n, out, NULL, 1, n, FFTW_FORWARD, only)));
    printf(", \"patient\": %d", found(plan_of(n, FFTW_PATIENT | FFTW_WISDOM_ONLY)));
    printf(", \"estimate_uses_it\": %d, \"estimate_was_other\": %d}\n", strcmp(later, choice) == 0,
           strcmp(guess, choice) != 0);
    free(guess);
    free(choice);
    free(later);
}

// Seconds of planning, of planning again with wisdom, and of one transform, RUNS times.
static void print_cost(void) {
    enum { RUNS = 9 };
    const int n = 1024, loops = 2000;
    double measure[RUNS], again[RUNS], transform[RUNS], guessed[RUNS];
    for (int r = 0; r < RUNS; r++) {
        fftw_forget_wisdom();
        fftw_plan guess = plan_of(n, FFTW_ESTIMATE);
        double start = now();
        fftw_plan plan = plan_of(n, FFTW_MEASURE);
        measure[r] = now() - start;
        start = now();
        fftw_destroy_plan(plan_of(n, FFTW_MEASURE));
        again[r] = now() - start;
        memset(in, 0, sizeof *in * (size_t)n);
        double with[2];
        fftw_plan plans[2] = {plan, guess};
        for (int p = 0; p < 2; p++) {
            fftw_execute(plans[p]);
            start = now();
            for (int i = 0; i < loops; i++)
                fftw_execute(plans[p]);
            with[p] = (now() - start) / loops;
        }
        transform[r] = with[0];
        guessed[r] = with[1];
        fftw_destroy_plan(plan);
        fftw_destroy_plan(guess);
    }
    const char *names[] = {"measure", "again", "transform", "guessed"};
    const double *lists[] = {measure, again, transform, guessed};
    for (int k = 0; k < 4; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int r = 0; r < RUNS; r++)
            printf("%s%.9g", r ? ", " : "", lists[k][r]);
        printf("]");
    }
    printf("}\n");
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Seconds of a transform with each of the plans that ROUNDS plannings of n gave, timed in turn: the slowest
// plan against the fastest, by their medians.
static void print_spread(int n) {
    enum { RUNS = 31 };
    const int loops = 200;
    static double sample[ROUNDS][RUNS];
    variety v = plan_again_and_again(n, FFTW_MEASURE);
    memset(in, 0, sizeof *in * (size_t)n);
    for (int r = 0; r < RUNS; r++)
        for (int k = 0; k < v.kinds; k++) {
            double start = now();
            for (int i = 0; i < loops; i++)
                fftw_execute(v.plan[k]);
            sample[k][r] = (now() - start) / loops;
        }
    double least = 1e9, most = 0;
    for (int k = 0; k < v.kinds; k++) {
        qsort(sample[k], RUNS, sizeof **sample, compare);
        double middle = sample[k][RUNS / 2];
        least = middle < least ? middle : least;
        most = middle > most ? middle : most;
    }
    printf("{\"kinds\": %d, \"slowest_over_fastest\": %.6f}\n", v.kinds, most / least);
    forget(&v);
}

static void show(int n) {
    variety v = plan_again_and_again(n, FFTW_MEASURE);
    for (int k = 0; k < v.kinds; k++)
        printf("chosen %d times:\n%s\n", v.times[k], v.text[k]);
    forget(&v);
}

int main(int argc, char **argv) {
    in = fftw_malloc(sizeof *in * WITH_ROOM);
    out = fftw_malloc(sizeof *out * WITH_ROOM);
    if (!in || !out)
        return 1;
    memset(in, 0, sizeof *in * WITH_ROOM);
    memset(out, 0, sizeof *out * WITH_ROOM);
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "plans") == 0)
        print_plans();
    else if (strcmp(what, "hold") == 0)
        print_hold();
    else if (strcmp(what, "cost") == 0)
        print_cost();
    else if (strcmp(what, "spread") == 0 && argc > 2)
        print_spread(atoi(argv[2]));
    else if (strcmp(what, "show") == 0 && argc > 2)
        show(atoi(argv[2]));
    else
        return 2;
    fftw_free(in);
    fftw_free(out);
    return 0;
}
