// One operation, y = factor * x + offset, offered in several ways, and the loops over it.
#pragma once
#include <concepts>
#include <variant>

// 1. Virtual functions. Three classes derive from Op; their bodies are in bodies.cpp.
struct Op {
    virtual ~Op() = default;
    virtual float apply(float x) const = 0;
    virtual void apply_all(const float *in, float *out, int n) const = 0;
};
struct Linear : Op {
    float factor, offset;
    Linear(float f, float o) : factor(f), offset(o) {}
    float apply(float x) const override;
    void apply_all(const float *in, float *out, int n) const override;
};

// 2. A base of which the loops see one body, in a class that nothing may derive from. A second class
// is in bodies.cpp.
struct Shut {
    virtual ~Shut() = default;
    virtual float apply(float x) const = 0;
};
struct Sealed final : Shut {
    float factor, offset;
    Sealed(float f, float o) : factor(f), offset(o) {}
    float apply(float x) const override { return x * factor + offset; }
};

// 3. A hierarchy of which the program has one class; its body is in bodies.cpp.
struct Single {
    virtual ~Single() = default;
    virtual float apply(float x) const = 0;
};

// 4. CRTP. Private constructor and friend: only the class that is named can derive.
template <class Derived> class Static {
    Static() = default;
    friend Derived;

public:
    float apply(float x) const { return static_cast<const Derived *>(this)->compute(x); }
};
struct Inline : Static<Inline> {
    float factor, offset;
    Inline(float f, float o) : factor(f), offset(o) {}
    float compute(float x) const { return x * factor + offset; }
};
struct Fenced : Static<Fenced> {        // the body is in bodies.cpp
    float factor, offset;
    Fenced(float f, float o) : factor(f), offset(o) {}
    float compute(float x) const;
};

// 5. A plain class, and a concept that says what a loop wants of it. No base.
template <class T> concept Applies = requires(const T &op, float x) {
    { op.apply(x) } -> std::same_as<float>;
};
struct Plain {
    float factor, offset;
    float apply(float x) const { return x * factor + offset; }
};

// 6. A closed set of classes. Kind<0> has the body of the other ways; the others add K to the offset.
template <int K> struct Kind {
    float factor, offset;
    float apply(float x) const
    {
        if constexpr (K == 0)
            return x * factor + offset;
        else
            return x * factor + (offset + K);
    }
};
using Three = std::variant<Kind<0>, Kind<1>, Kind<2>>;
using Twelve = std::variant<Kind<0>, Kind<1>, Kind<2>, Kind<3>, Kind<4>, Kind<5>, Kind<6>, Kind<7>,
                            Kind<8>, Kind<9>, Kind<10>, Kind<11>>;

// 7. A call of a class with more to do: `rounds` dependent multiplications.
using Word = unsigned long long;
struct Mixer {
    virtual ~Mixer() = default;
    virtual Word mix(Word x) const = 0;
};
inline Word mixed(Word x, int rounds)
{
    for (int r = 0; r < rounds; r++)
        x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ull;
    return x;
}
struct StaticMixer : Static<StaticMixer> {
    int rounds;
    explicit StaticMixer(int r) : rounds(r) {}
    Word mix(Word x) const { return mixed(x, rounds); }
};

// Made in bodies.cpp, of a class that is chosen at run time.
Op *make_op(int kind, float factor, float offset);
Shut *make_shut(int kind, float factor, float offset);
Single *make_single(float factor, float offset);
Mixer *make_mixer(int rounds);
void *make_local(float factor, float offset);      // of a class that only loops.cpp knows

// A loop stays a function of its own, called with what the caller has.
#define ALONE extern "C" __attribute__((noinline, noclone)) void
#define LOOP(name, ...) \
    ALONE name(__VA_ARGS__, const float *__restrict in, float *__restrict out, int n)
LOOP(each_virtual, const Op *op);
LOOP(each_single, const Single *op);
LOOP(each_array, const Op *op);
LOOP(each_guess, const Shut *op);
LOOP(each_final, const Sealed *op);
LOOP(each_crtp, const Inline *op);
LOOP(each_fenced, const Fenced *op);
LOOP(each_concept, const Plain *op);
LOOP(each_visit, const Three *op);
LOOP(each_visit12, const Twelve *op);
LOOP(visit_each, const Three *op);
LOOP(each_local, const void *local);
ALONE mix_virtual(const Mixer *op, const Word *in, Word *out, int n);
ALONE mix_crtp(const StaticMixer *op, const Word *in, Word *out, int n);
