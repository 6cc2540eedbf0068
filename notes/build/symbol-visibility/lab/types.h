// What a library and its program share: types that are defined in the header alone.
#include <typeinfo>

#define API __attribute__((visibility("default")))

struct Shape
{
    virtual ~Shape() = default;
};

struct Circle : Shape
{
    int radius = 7;
};

struct Failure
{
    int code = 7;
};

namespace
{
struct Local : Shape
{
    int radius = 7;
};
struct LocalFailure
{
    int code = 7;
};
}

inline int &counter()
{
    static int count;
    return count;
}

API Shape *make_circle();
API Shape *make_local();
API void fail(bool local);
API void bump();
API const std::type_info *circle_type();
