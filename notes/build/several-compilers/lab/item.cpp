// The library's side: reads the amount.
#include "item.h"

int amount_of(const Item &item) { return item.amount; }
