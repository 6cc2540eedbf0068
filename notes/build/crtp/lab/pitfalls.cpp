// Mistakes with CRTP, one for each -DCASE. The base is guarded with -DGUARD.
#include <cstdio>

#define WRONG_CLASS 1       // derives from the base of another class
#define INCOMPLETE 2        // the base asks the class for a type while the class is not yet complete
#define FORGOTTEN 3         // the class lacks the function, and the base has one of that name
#define FORGOTTEN_NAME 4    // the same, but the base calls another name
#define SLICE 5             // copies the base out of the class, and calls it
#define CONTAINER 6         // keeps two classes by a pointer to one base
#define TRAITS 7            // the type comes from a template beside the class instead

#ifdef GUARD
template <class D> class Base {
    Base() = default;
    Base(const Base &) = default;       // without this line SLICE compiles
    friend D;
public:
#else
template <class D> struct Base {
#endif
#if CASE == FORGOTTEN
    float apply(float x) const { return static_cast<const D *>(this)->apply(x); }
#else
    float apply(float x) const { return static_cast<const D *>(this)->compute(x); }
#endif
};

struct Scale : Base<Scale> {
    float factor = 2;
    float compute(float x) const { return x * factor; }
#if CASE == FORGOTTEN
    float apply(float x) const { return x * factor; }
#endif
};

#if CASE == WRONG_CLASS
struct Shift : Base<Scale> {        // copied from Scale, and not changed here
    float step = 1;
    float compute(float x) const { return x + step; }
};
int main() { std::printf("3 + 1 = %g\n", Shift().apply(3)); }
#elif CASE == INCOMPLETE
template <class D> struct Typed {
    typename D::value sum = 0;
};
struct Typer : Typed<Typer> {
    using value = float;
};
Typer use;
#elif CASE == TRAITS
template <class D> struct value_of;
template <class D> struct Typed {
    typename value_of<D>::type sum = 0;
};
template <> struct value_of<struct Typer> { using type = float; };
struct Typer : Typed<Typer> {};
Typer use;
#elif CASE == FORGOTTEN || CASE == FORGOTTEN_NAME
struct Shift : Base<Shift> {};      // has neither apply nor compute
float use(float x) { Shift shift; return shift.apply(x); }
#elif CASE == SLICE
float use(float x) { Scale scale; Base<Scale> copy = scale; return copy.apply(x); }
#elif CASE == CONTAINER
struct Shift : Base<Shift> {
    float compute(float x) const { return x + 1; }
};
Scale scale;
Shift shift;
Base<Scale> *list[] = {&scale, &shift};
#endif
