/* Calls all that the library offers; the sum of it is 3 + 2 + 5. */
#include <stdio.h>
#include "stats.h"

static double values[1000];

int main(void)
{
    for (int i = 0; i < 1000; i++)
        values[i] = 1 + i % 5;
    printf("%g\n", stats_mean(values, 1000) + stats_spread(values, 1000)
                       + stats_apply(1, values, 1000));
    return 0;
}
