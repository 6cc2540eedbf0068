// The same small operation, y = x * factor + offset, dispatched in several ways.
#pragma once

struct Op {                         // dispatched at run time
    virtual float apply(float x) const = 0;
    virtual float inverse(float y) const = 0;
    virtual ~Op() = default;
};

struct Linear : Op {
    float factor, offset;
    Linear(float f, float o) : factor(f), offset(o) {}
    float apply(float x) const override;
    float inverse(float y) const override;
};

struct Final final : Op {           // nothing can override its functions
    float factor, offset;
    Final(float f, float o) : factor(f), offset(o) {}
    float apply(float x) const override { return x * factor + offset; }
    float inverse(float y) const override { return (y - offset) / factor; }
};

template <class Derived> struct Static {            // CRTP: dispatched at compile time
    float apply(float x) const { return static_cast<const Derived *>(this)->compute(x); }
};

struct Inline : Static<Inline> {
    float factor, offset;
    Inline(float f, float o) : factor(f), offset(o) {}
    float compute(float x) const { return x * factor + offset; }
};

struct Fenced : Static<Fenced> {                    // the same, but never inlined
    float factor, offset;
    Fenced(float f, float o) : factor(f), offset(o) {}
    float compute(float x) const;
};

struct Plain { float factor, offset; };             // no virtual function

Op *make_op(int kind, float factor, float offset);

extern "C" void each_guess(const Op *, const float *__restrict, float *__restrict, int);
extern "C" void each_scalar(const Inline *, const float *__restrict, float *__restrict, int);
