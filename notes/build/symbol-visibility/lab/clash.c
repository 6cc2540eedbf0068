/* A program that has a function note_call of its own. */
#include <stdio.h>
#include "stats.h"

void note_call(void)
{
    puts("note_call of the program");
}

int main(void)
{
    double values[] = {1, 2, 6};
    printf("%g\n", stats_mean(values, 3));
    return 0;
}
