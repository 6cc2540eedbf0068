struct item {
    int cents;
};

struct order {
    int pieces;
    const struct item *item;
};

int price(const struct order *order);
