// The program's side: writes the amount.
#include "item.h"
#include <cstdio>

int main() {
    Item item{"screws", 500};
    std::printf("%d\n", amount_of(item));
}
