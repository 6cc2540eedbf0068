// In a file of its own: without link-time optimisation the loops cannot see these bodies.
#include "ways.h"

template <class T> static void all(const T &op, const float *__restrict in, float *__restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op.T::apply(in[i]);        // T:: makes it a static call
}

float Linear::apply(float x) const { return x * factor + offset; }
void Linear::apply_all(const float *in, float *out, int n) const { all(*this, in, out, n); }
float Fenced::compute(float x) const { return x * factor + offset; }

struct Square : Op {
    float apply(float x) const override { return x * x; }
    void apply_all(const float *in, float *out, int n) const override { all(*this, in, out, n); }
};
struct Shift : Op {
    float offset;
    explicit Shift(float o) : offset(o) {}
    float apply(float x) const override { return x + offset; }
    void apply_all(const float *in, float *out, int n) const override { all(*this, in, out, n); }
};
Op *make_op(int kind, float factor, float offset)
{
    if (kind == 1)
        return new Linear(factor, offset);
    if (kind == 2)
        return new Shift(offset);
    return new Square;
}

struct Open : Shut {        // computes the same as Sealed
    float factor, offset;
    Open(float f, float o) : factor(f), offset(o) {}
    float apply(float x) const override { return offset + factor * x; }
};
Shut *make_shut(int kind, float factor, float offset)
{
    if (kind == 1)
        return new Sealed(factor, offset);
    return new Open(factor, offset);
}

struct OnlySingle : Single {
    float factor, offset;
    OnlySingle(float f, float o) : factor(f), offset(o) {}
    float apply(float x) const override { return x * factor + offset; }
};
Single *make_single(float factor, float offset) { return new OnlySingle(factor, offset); }

struct Mix : Mixer {
    int rounds;
    explicit Mix(int r) : rounds(r) {}
    Word mix(Word x) const override { return mixed(x, rounds); }
};
struct Keep : Mixer {
    Word mix(Word x) const override { return x; }
};
Mixer *make_mixer(int rounds)
{
    if (rounds == 0)
        return new Keep;
    return new Mix(rounds);
}
