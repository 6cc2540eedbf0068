#include "area.h"

Area::Area() = default;

double Area::value() const
{
    return 0;
}
