// Loops over an array that differ only in how they call the operation.
#include "ways.h"

LOOP(each_virtual, const Op *op)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

LOOP(each_single, const Single *op)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

// One virtual call for the array; the loop is in the class.
LOOP(each_array, const Op *op) { op->apply_all(in, out, n); }

// Virtual, but one body is in sight.
LOOP(each_guess, const Shut *op)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

LOOP(each_final, const Sealed *op)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

LOOP(each_crtp, const Inline *op)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

LOOP(each_fenced, const Fenced *op)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

static inline void each(const Applies auto &op, const float *__restrict in, float *__restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op.apply(in[i]);
}
LOOP(each_concept, const Plain *op) { each(*op, in, out, n); }

// The class is asked for at each element …
LOOP(each_visit, const Three *op)
{
    for (int i = 0; i < n; i++)
        out[i] = std::visit([x = in[i]](const auto &kind) { return kind.apply(x); }, *op);
}
LOOP(each_visit12, const Twelve *op)
{
    for (int i = 0; i < n; i++)
        out[i] = std::visit([x = in[i]](const auto &kind) { return kind.apply(x); }, *op);
}
// … and once for the array.
LOOP(visit_each, const Three *op)
{
    std::visit([=](const auto &kind) { each(kind, in, out, n); }, *op);
}

// A hierarchy that no other file can know, with one class.
namespace {
struct Local {
    virtual ~Local() = default;
    virtual float apply(float x) const = 0;
};
struct OnlyLocal : Local {
    float factor, offset;
    OnlyLocal(float f, float o) : factor(f), offset(o) {}
    float apply(float x) const override { return x * factor + offset; }
};
} // namespace
void *make_local(float f, float o) { return new OnlyLocal(f, o); }
LOOP(each_local, const void *local)
{
    const Local *op = static_cast<const Local *>(local);
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}

ALONE mix_virtual(const Mixer *op, const Word *in, Word *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op->mix(in[i]);
}
ALONE mix_crtp(const StaticMixer *op, const Word *in, Word *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op->mix(in[i]);
}
