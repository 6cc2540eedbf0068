// How the code grows with the number of classes: TYPES classes with a body each, and one algorithm.
//   -DVIRTUAL   the algorithm exists once and calls through the table
//   -DTEMPLATE  the algorithm is compiled for each class
//   -DLONG      an algorithm of six loops instead of one
#include <utility>

#define ARRAYS const float *__restrict in, float *__restrict out, int n

template <int K> static inline float body(float x) { return x * 1.5f + K; }

template <class Op> static inline void algorithm(const Op &op, ARRAYS)
{
    for (int i = 0; i < n; i++)
        out[i] = op.apply(in[i]);
#ifdef LONG
    for (int i = 0; i < n; i++)
        out[i] += op.apply(in[i] * 0.5f);
    for (int i = 0; i < n; i++)
        out[i] -= op.apply(in[i] + 2.0f);
    for (int i = 0; i < n; i++)
        out[i] *= op.apply(in[i] - 3.0f);
    for (int i = 0; i < n; i++)
        out[i] += op.apply(out[i]) * in[i];
    for (int i = 0; i < n; i++)
        out[i] = op.apply(out[i] * out[i]);
#endif
}

#ifdef VIRTUAL
struct Op {
    virtual float apply(float x) const = 0;
};
template <int K> struct Kind : Op {
    float apply(float x) const override { return body<K>(x); }
};
static __attribute__((noinline)) void use(const Op &op, ARRAYS) { algorithm(op, in, out, n); }
#else
template <int K> struct Kind {
    float apply(float x) const { return body<K>(x); }
};
#endif
template <int K> Kind<K> kind;

#ifndef VIRTUAL
template <int K> static void each(ARRAYS) { algorithm(kind<K>, in, out, n); }
#endif

template <int... K> static void choose(int which, ARRAYS, std::integer_sequence<int, K...>)
{
#ifdef VIRTUAL
    static const Op *const kinds[] = {&kind<K>...};
    use(*kinds[which], in, out, n);
#else
    static void (*const kinds[])(ARRAYS) = {each<K>...};
    kinds[which](in, out, n);
#endif
}

// The one entry: which of the classes is to be used.
void run(int which, ARRAYS) { choose(which, in, out, n, std::make_integer_sequence<int, TYPES>()); }
