// A class of the library whose virtual function is not inline. CLASS may say that the class is interface.
#ifndef CLASS
#define CLASS
#endif
#define API __attribute__((visibility("default")))

struct CLASS Area
{
    API Area();
    virtual double value() const;
    virtual ~Area() = default;
};
