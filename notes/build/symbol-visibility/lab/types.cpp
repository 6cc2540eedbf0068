#include "types.h"

Shape *make_circle()
{
    return new Circle;
}

Shape *make_local()
{
    return new Local;
}

void fail(bool local)
{
    if (local)
        throw LocalFailure();
    throw Failure();
}

void bump()
{
    counter()++;
}

const std::type_info *circle_type()
{
    return &typeid(Circle);
}
