/* Computes the price of an order whose item is missing, in a library of its own, and crashes. */
#include "shop.h"
#include <stdio.h>

__attribute__((noinline)) static int serve(const struct order *orders, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += price(&orders[i]);
    return sum;
}

int main(void)
{
    static const struct item pen = {120};
    const struct order orders[] = {{2, &pen}, {1, NULL}};
    printf("%d\n", serve(orders, 2));
    return 0;
}
