#include "stats.h"
#include "inner.h"

double square(double value)
{
    return value * value;
}

double stats_mean(const double *values, int count)
{
    note_call();
    return add_up(values, count) / count;
}

double stats_spread(const double *values, int count)
{
    double mean = stats_mean(values, count), sum = 0;
    for (int i = 0; i < count; i++)
        sum += square(values[i] - mean);
    return sum / count;
}

static double (*const table[])(const double *, int) = {add_up, largest, smallest};

double stats_apply(int which, const double *values, int count)
{
    calls_made++;
    return table[which](values, count);
}
