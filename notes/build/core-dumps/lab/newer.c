#include "shop.h"

int discount(const struct order *order)
{
    int cents = 0;
    for (int i = 0; i < order->pieces; i++)
        cents += order->item->cents / (i + 2);
    return cents;
}

int price(const struct order *order)
{
    return order->pieces * order->item->cents - discount(order);
}
