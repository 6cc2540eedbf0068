// Runs one loop and checks what it computed:   ways NAME ELEMENTS [KIND]
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ways.h"

enum { MOST = 1 << 16 };
static float in[MOST], out[MOST];
static Word words[MOST], mixes[MOST];

int main(int argc, char **argv)
{
    int n = argc > 2 ? std::atoi(argv[2]) : 0, kind = argc > 3 ? std::atoi(argv[3]) : 1;
    if (n < 1 || n > MOST || kind < 1) {
        std::fprintf(stderr, "usage: ways NAME ELEMENTS [KIND]\n");
        return 2;
    }
    for (int i = 0; i < n; i++) {
        in[i] = float(i % 101);         // multiples of a quarter: no result is rounded
        words[i] = Word(i) * 77 + 1;
    }
    const float f = 1.5f, o = 0.25f;
    const char *name = argv[1];         // KIND chooses the class, for mix_* the number of rounds
    auto is = [name](const char *other) { return std::strcmp(name, other) == 0; };
    bool mixing = false;
    if (is("each_virtual")) {
        each_virtual(make_op(kind, f, o), in, out, n);        // the class depends on argv
    } else if (is("each_array")) {
        each_array(make_op(kind, f, o), in, out, n);
    } else if (is("each_single")) {
        each_single(make_single(f, o), in, out, n);
    } else if (is("each_guess")) {
        each_guess(make_shut(kind, f, o), in, out, n);
    } else if (is("each_final")) {
        each_final(static_cast<Sealed *>(make_shut(kind, f, o)), in, out, n);
    } else if (is("each_crtp")) {
        Inline op(f, o);
        each_crtp(&op, in, out, n);
    } else if (is("each_fenced")) {
        Fenced op(f, o);
        each_fenced(&op, in, out, n);
    } else if (is("each_concept")) {
        Plain op{f, o};
        each_concept(&op, in, out, n);
    } else if (is("each_visit") || is("visit_each")) {
        Three op;
        if (kind == 1)
            op = Kind<0>{f, o};
        else
            op = Kind<2>{f, o - 2};
        (is("each_visit") ? each_visit : visit_each)(&op, in, out, n);
    } else if (is("each_visit12")) {
        Twelve op;
        if (kind == 1)
            op = Kind<0>{f, o};
        else
            op = Kind<11>{f, o - 11};
        each_visit12(&op, in, out, n);
    } else if (is("each_local")) {
        each_local(make_local(f, o), in, out, n);
    } else if (is("mix_virtual")) {
        mixing = true;
        mix_virtual(make_mixer(kind), words, mixes, n);
    } else if (is("mix_crtp")) {
        mixing = true;
        StaticMixer op(kind);
        mix_crtp(&op, words, mixes, n);
    } else {
        std::fprintf(stderr, "ways: no loop is called %s\n", name);
        return 2;
    }
    for (int i = 0; i < n; i++)
        if (mixing ? mixes[i] != mixed(words[i], kind) : out[i] != in[i] * f + o) {
            std::fprintf(stderr, "ways: %s: wrong result at %d\n", name, i);
            return 1;
        }
    std::printf("%s: %d elements right\n", name, n);
}
