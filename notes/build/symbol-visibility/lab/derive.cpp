// A program that derives from a class of the library.
#include "area.h"

struct Room : Area
{
    double value() const override { return 12; }
};

Area *make_room()
{
    return new Room;
}

int main()
{
    return make_room()->value() != 12;
}
