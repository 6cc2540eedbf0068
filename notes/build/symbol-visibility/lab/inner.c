#include "inner.h"

int calls_made;

void note_call(void)
{
    calls_made++;
}

double add_up(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

double largest(const double *values, int count)
{
    double best = values[0];
    for (int i = 1; i < count; i++)
        best = values[i] > best ? values[i] : best;
    return best;
}

double smallest(const double *values, int count)
{
    double best = values[0];
    for (int i = 1; i < count; i++)
        best = values[i] < best ? values[i] : best;
    return best;
}
