/* A blocked product, C += A B, whose five loops are shared by threads in any way; it counts, and times nothing.
 *
 *   ./threaded check            real threads (pthreads) against a plain product; prints the numbers that differ
 *   ./threaded count NAME=VALUE ...    one product by threads that take turns, with counters and simulated caches
 *   ./threaded table            the same for eight threads in each of the five loops, for people
 *
 * Names of `count`: m n k (sizes), mc kc nc (blocks), jc pc ic jr ir (threads in each loop), smt (threads on a
 * core), cores (on a socket; 0: all on one), l3 (KiB of L3 on each socket), whole=1 (whole blocks of mc rows are
 * dealt out, as `omp parallel for` over the loop ic would), caches=0 (no simulated caches).
 *
 * Each core has an L1 of 16 KiB and an L2 of 128 KiB, 8 ways each; each socket an L3 of 16 ways. The least recently
 * used line leaves. A write takes the line away from all other cores. No prefetching. In `count` the threads are
 * contexts that change after each tile and each packed micro-panel, so that the counts are the same each time.
 */
#include <ucontext.h>
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
using namespace std;

const size_t MR = 4, NR = 8; /* a tile of C: with NR = 8 a row of it is one line */

static void die(const char *message)
{
    fprintf(stderr, "threaded: %s\n", message);
    exit(2);
}

struct Plan {
    size_t m = 768, n = 768, k = 1024, mc = 96, kc = 128, nc = 768;
    size_t jc = 1, pc = 1, ic = 1, jr = 1, ir = 1; /* threads in each loop */
    size_t smt = 1, cores = 0, l3 = 2048, whole = 0, caches = 1;
    bool careless = false; /* the fault that the check must find: the copies of C are not added up */
    size_t threads() const { return jc * pc * ic * jr * ir; }
};

/* ---- simulated caches ---- */

/* What is touched, and by whom: packed blocks read by the kernel, the same written by the packing, sources read by
 * the packing, and C. */
enum Kind { READ_A, READ_B, PACK_A, PACK_B, FROM_A, FROM_B, OF_C, KINDS };

class Cache {
    size_t sets, ways;
    vector<uint64_t> tags; /* of each set, the most recently used first; 0 is empty */
  public:
    Cache(size_t bytes, size_t ways) : sets(bytes / 64 / ways), ways(ways), tags(sets * ways) {}
    bool hit(uint64_t line)
    {
        uint64_t *set = &tags[line % sets * ways];
        size_t at = find(set, set + ways, line) - set;
        bool found = at < ways;
        for (at = min(at, ways - 1); at > 0; at--)
            set[at] = set[at - 1];
        set[0] = line;
        return found;
    }
    void drop(uint64_t line)
    {
        uint64_t *set = &tags[line % sets * ways];
        uint64_t *at = find(set, set + ways, line);
        if (at < set + ways) {
            move(at + 1, set + ways, at);
            set[ways - 1] = 0;
        }
    }
};

struct Machine {
    vector<Cache> l1, l2, l3;
    size_t smt, cores; /* threads on a core, cores on a socket */
    uint64_t missed1[KINDS] = {}, missed2[KINDS] = {}, missed3[KINDS] = {}, remote[KINDS] = {};
    map<uint64_t, size_t> home; /* of each page, the socket that wrote it first */

    Machine(const Plan &p)
        : smt(p.smt), cores(p.cores ? p.cores : p.threads() / p.smt)
    {
        size_t all = p.threads() / smt, sockets = all / cores;
        if (all * smt != p.threads() || sockets * cores != all)
            die("threads do not fill the cores, or cores the sockets");
        l1.assign(all, Cache(16 << 10, 8));
        l2.assign(all, Cache(128 << 10, 8));
        l3.assign(sockets, Cache(p.l3 << 10, 16));
    }
    void touch(size_t thread, uint64_t line, Kind kind, bool write)
    {
        size_t core = thread / smt, socket = core / cores;
        if (write) {
            for (size_t other = 0; other < l1.size(); other++)
                if (other != core) {
                    l1[other].drop(line);
                    l2[other].drop(line);
                }
            for (size_t other = 0; other < l3.size(); other++)
                if (other != socket)
                    l3[other].drop(line);
        }
        if (l3.size() > 1)
            home.insert({line / 64, kind == PACK_A || kind == PACK_B ? socket : 0});
        if (l1[core].hit(line))
            return;
        missed1[kind]++;
        if (l2[core].hit(line))
            return;
        missed2[kind]++;
        if (l3[socket].hit(line))
            return;
        missed3[kind]++;
        if (l3.size() > 1 && home[line / 64] != socket)
            remote[kind]++;
    }
};

/* ---- threads: real ones, or contexts that take turns ---- */

struct Group { /* threads that wait for each other */
    size_t size = 0, arrived = 0, round = 0;
    uint64_t latest = 0, leave[2] = {}; /* leave: of the last two rounds, the clock with which they ended */
    bool complete(uint64_t clock)
    {
        latest = max(latest, clock);
        if (++arrived < size)
            return false;
        arrived = 0;
        leave[round++ % 2] = latest;
        return true;
    }
};

struct Crew {
    virtual void run(size_t count, void (*body)(void *, size_t), void *with) = 0;
    virtual void turn() = 0;                                 /* let the next one work */
    virtual uint64_t meet(Group &group, uint64_t clock) = 0; /* returns the latest clock of the group */
};

struct RealCrew : Crew {
    mutex lock;
    condition_variable come;
    void run(size_t count, void (*body)(void *, size_t), void *with) override
    {
        vector<thread> all;
        for (size_t t = 0; t < count; t++)
            all.emplace_back(body, with, t);
        for (thread &one : all)
            one.join();
    }
    void turn() override {}
    uint64_t meet(Group &group, uint64_t clock) override
    {
        unique_lock<mutex> hold(lock);
        size_t round = group.round;
        if (group.complete(clock))
            come.notify_all();
        else
            come.wait(hold, [&] { return group.round != round; });
        return group.leave[round % 2];
    }
};

struct TurnsCrew : Crew {
    ucontext_t home;
    vector<ucontext_t> all;
    vector<bool> done;
    size_t now = 0;
    static TurnsCrew *self;
    static void begin(unsigned high, unsigned low, unsigned t)
    {
        auto call = (pair<void (*)(void *, size_t), void *> *)((uintptr_t)high << 32 | low);
        call->first(call->second, t);
        self->done[t] = true;
    }
    void run(size_t count, void (*body)(void *, size_t), void *with) override
    {
        self = this;
        pair<void (*)(void *, size_t), void *> call(body, with);
        vector<vector<char>> stacks(count, vector<char>(64 << 10));
        all.resize(count);
        done.assign(count, false);
        for (size_t t = 0; t < count; t++) {
            getcontext(&all[t]);
            all[t].uc_stack.ss_sp = stacks[t].data();
            all[t].uc_stack.ss_size = stacks[t].size();
            all[t].uc_link = &home;
            makecontext(&all[t], (void (*)())begin, 3, (unsigned)((uintptr_t)&call >> 32),
                        (unsigned)(uintptr_t)&call, (unsigned)t);
        }
        while (find(done.begin(), done.end(), false) != done.end())
            for (now = 0; now < count; now++)
                if (!done[now])
                    swapcontext(&home, &all[now]);
    }
    void turn() override { swapcontext(&all[now], &home); }
    uint64_t meet(Group &group, uint64_t clock) override
    {
        size_t round = group.round;
        if (!group.complete(clock))
            while (group.round == round)
                turn();
        return group.leave[round % 2];
    }
};
TurnsCrew *TurnsCrew::self;

/* ---- the product ---- */

struct Counts {
    uint64_t packed_a = 0, packed_b = 0, read_a = 0, read_b = 0, reduced = 0; /* bytes */
    uint64_t barriers = 0;
    uint64_t work = 0, clock = 0; /* multiply-adds, and the same with the waiting */
};

struct Part {
    size_t from, to;
};

/* The part of `total` that falls to the index-th of `ways`, in whole units. */
static Part part(size_t total, size_t unit, size_t ways, size_t index)
{
    size_t units = (total + unit - 1) / unit, each = units / ways, more = units % ways;
    size_t from = index * each + min(index, more), to = from + each + (index < more);
    return {min(from * unit, total), min(to * unit, total)};
}

static size_t up(size_t a, size_t unit) { return (a + unit - 1) / unit * unit; }

struct Product {
    Plan p;
    Crew *crew;
    Machine *machine = nullptr;
    vector<double> store; /* all matrices and blocks; simulated addresses are offsets into it */
    double *base, *a, *b, *packed_a, *packed_b;
    vector<double *> c; /* C itself, and one more for each further thread in the loop pc */
    size_t lda, ldb, ldc, block, panel;
    vector<Group> group_a, group_b, everybody;
    vector<Counts> counts;

    Product(const Plan &plan, Crew *crew) : p(plan), crew(crew)
    {
        /* 8 more than a multiple of 64, so that the rows spread over the sets */
        lda = up(p.k, 64) + 8, ldb = up(p.n, 64) + 8, ldc = up(p.n, 64) + 8;
        block = up(p.mc, MR) * p.kc, panel = up(min(p.nc, up(p.n, NR)), NR) * p.kc;
        size_t blocks = p.jc * p.pc * p.ic, panels = p.jc * p.pc;
        store.assign(p.m * lda + p.k * ldb + p.pc * p.m * ldc + blocks * block + panels * panel + 4096 + 512, 0.0);
        base = (double *)(((uintptr_t)store.data() + 4095) / 4096 * 4096);
        double *next = base + 512; /* line 0 stands for an empty place */
        auto take = [&next](size_t count) { double *at = next; next += up(count, 8); return at; };
        a = take(p.m * lda);
        b = take(p.k * ldb);
        for (size_t i = 0; i < p.pc; i++)
            c.push_back(take(p.m * ldc));
        packed_a = take(blocks * block);
        packed_b = take(panels * panel);
        unsigned seed = 1; /* small whole numbers: sums of products are exact in each order */
        auto fill = [&seed](double *to, size_t rows, size_t columns, size_t ld) {
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < columns; j++) {
                    seed = seed * 1103515245u + 12345u;
                    to[i * ld + j] = (double)((seed >> 16) % 17) - 8;
                }
        };
        fill(a, p.m, p.k, lda);
        fill(b, p.k, p.n, ldb);
        group_a.resize(blocks);
        for (Group &g : group_a)
            g.size = p.jr * p.ir;
        group_b.resize(panels);
        for (Group &g : group_b)
            g.size = p.ic * p.jr * p.ir;
        everybody.resize(1);
        everybody[0].size = p.threads();
        counts.resize(p.threads());
    }

    void touch(size_t thread, const double *at, Kind kind, bool write = false)
    {
        if (machine)
            machine->touch(thread, (uint64_t)(at - base) / 8, kind, write);
    }
    void meet(Group &group, Counts &mine)
    {
        if (group.size > 1) {
            mine.barriers++;
            mine.clock = crew->meet(group, mine.clock);
        }
    }

    /* One micro-panel of B: kc rows of NR numbers. Copied row by row. */
    void pack_b(size_t t, double *to, size_t pc, size_t kc, size_t j, size_t end)
    {
        for (size_t q = 0; q < kc; q++) {
            for (size_t s = 0; s < NR; s++)
                to[q * NR + s] = j + s < end ? b[(pc + q) * ldb + j + s] : 0;
            touch(t, b + (pc + q) * ldb + j, FROM_B);
            touch(t, to + q * NR, PACK_B, true);
        }
        counts[t].packed_b += kc * NR * 8;
        crew->turn();
    }
    /* One micro-panel of A: kc columns of MR numbers. */
    void pack_a(size_t t, double *to, size_t i, size_t end, size_t pc, size_t kc)
    {
        for (size_t q = 0; q < kc; q++) {
            for (size_t r = 0; r < MR; r++)
                to[q * MR + r] = i + r < end ? a[(i + r) * lda + pc + q] : 0;
            for (size_t r = 0; r < MR && i + r < end && q % 8 == 0; r++)
                touch(t, a + (i + r) * lda + pc + q, FROM_A);
            if (q % 2 == 0)
                touch(t, to + q * MR, PACK_A, true);
        }
        counts[t].packed_a += kc * MR * 8;
        crew->turn();
    }
    void kernel(size_t t, size_t kc, const double *ap, const double *bp, double *to, size_t rows, size_t columns)
    {
        double sums[MR][NR] = {};
        for (size_t q = 0; q < kc; q++) {
            for (size_t r = 0; r < MR; r++)
                for (size_t s = 0; s < NR; s++)
                    sums[r][s] += ap[q * MR + r] * bp[q * NR + s];
            if (machine) {
                touch(t, bp + q * NR, READ_B);
                if (q % 2 == 0)
                    touch(t, ap + q * MR, READ_A);
            }
        }
        for (size_t r = 0; r < rows; r++) {
            for (size_t s = 0; s < columns; s++)
                to[r * ldc + s] += sums[r][s];
            touch(t, to + r * ldc, OF_C, true);
        }
        Counts &mine = counts[t];
        mine.read_a += kc * MR * 8;
        mine.read_b += kc * NR * 8;
        mine.work += kc * MR * NR;
        mine.clock += kc * MR * NR;
        crew->turn();
    }

    void work(size_t t)
    {
        /* Which part of each loop is mine; neighbours differ in the innermost shared loop. */
        size_t ir = t % p.ir, jr = t / p.ir % p.jr, ic = t / p.ir / p.jr % p.ic;
        size_t pc = t / p.ir / p.jr / p.ic % p.pc, jc = t / p.ir / p.jr / p.ic / p.pc;
        size_t team_b = jc * p.pc + pc, team_a = team_b * p.ic + ic;
        size_t in_a = jr * p.ir + ir, in_b = ic * p.jr * p.ir + in_a;
        double *my_block = packed_a + team_a * block, *my_panel = packed_b + team_b * panel;
        double *my_c = c[pc];
        Counts &mine = counts[t];
        Part n = part(p.n, NR, p.jc, jc), k = part(p.k, 2, p.pc, pc);
        Part m = part(p.m, p.whole ? p.mc : MR, p.ic, ic);
        for (size_t j = n.from; j < n.to; j += p.nc) { /* loop 5 */
            size_t nc = min(p.nc, n.to - j);
            for (size_t q = k.from; q < k.to; q += p.kc) { /* loop 4 */
                size_t kc = min(p.kc, k.to - q);
                meet(group_b[team_b], mine); /* nobody reads the old panel any more */
                Part share = part(nc, NR, p.ic * p.jr * p.ir, in_b);
                for (size_t s = share.from; s < share.to; s += NR)
                    pack_b(t, my_panel + s * kc, q, kc, j + s, j + nc);
                meet(group_b[team_b], mine);
                for (size_t i = m.from; i < m.to; i += p.mc) { /* loop 3 */
                    size_t mc = min(p.mc, m.to - i);
                    meet(group_a[team_a], mine);
                    Part rows = part(mc, MR, p.jr * p.ir, in_a);
                    for (size_t r = rows.from; r < rows.to; r += MR)
                        pack_a(t, my_block + r * kc, i + r, i + mc, q, kc);
                    meet(group_a[team_a], mine);
                    Part js = part(nc, NR, p.jr, jr), is = part(mc, MR, p.ir, ir);
                    for (size_t s = js.from; s < js.to; s += NR)      /* loop 2 */
                        for (size_t r = is.from; r < is.to; r += MR) /* loop 1 */
                            kernel(t, kc, my_block + r * kc, my_panel + s * kc, my_c + (i + r) * ldc + j + s,
                                   min(MR, mc - r), min(NR, nc - s));
                }
            }
        }
        if (p.pc > 1 && !p.careless) { /* add the other copies of C to the first */
            meet(everybody[0], mine);
            Part rows = part(p.m, 1, p.threads(), t);
            for (size_t other = 1; other < p.pc; other++)
                for (size_t i = rows.from; i < rows.to; i++) {
                    for (size_t s = 0; s < p.n; s++) {
                        if (s % 8 == 0) {
                            touch(t, c[other] + i * ldc + s, OF_C);
                            touch(t, c[0] + i * ldc + s, OF_C, true);
                        }
                        c[0][i * ldc + s] += c[other][i * ldc + s];
                    }
                    mine.reduced += p.n * 8;
                    crew->turn();
                }
        }
    }
    static void body(void *with, size_t t) { ((Product *)with)->work(t); }
    void run() { crew->run(p.threads(), body, this); }

    long wrong() const
    {
        long differ = 0;
        for (size_t i = 0; i < p.m; i++)
            for (size_t j = 0; j < p.n; j++) {
                double sum = 0;
                for (size_t q = 0; q < p.k; q++)
                    sum += a[i * lda + q] * b[q * ldb + j];
                differ += sum != c[0][i * ldc + j];
            }
        return differ;
    }
    template <class T> uint64_t total(T Counts::*what) const
    {
        uint64_t sum = 0;
        for (const Counts &one : counts)
            sum += one.*what;
        return sum;
    }
    template <class T> uint64_t most(T Counts::*what) const
    {
        uint64_t best = 0;
        for (const Counts &one : counts)
            best = max<uint64_t>(best, one.*what);
        return best;
    }
};

/* ---- running ---- */

static void check()
{
    long differ = 0, other = 0; /* numbers of C; products counted otherwise by real threads */
    size_t ways[][5] = {{1, 1, 1, 1, 1}, {4, 1, 1, 1, 1}, {1, 4, 1, 1, 1}, {1, 1, 4, 1, 1},
                        {1, 1, 1, 4, 1}, {1, 1, 1, 1, 4}, {2, 1, 2, 2, 1}, {2, 2, 1, 1, 2}};
    size_t sizes[][3] = {{96, 96, 64}, {61, 83, 70}, {5, 100, 33}};
    for (auto &way : ways)
        for (auto &size : sizes)
            for (size_t whole = 0; whole < 2; whole++) {
                Plan p;
                p.m = size[0], p.n = size[1], p.k = size[2];
                p.mc = 24, p.kc = 20, p.nc = 40, p.whole = whole;
                p.jc = way[0], p.pc = way[1], p.ic = way[2], p.jr = way[3], p.ir = way[4];
                RealCrew real;
                TurnsCrew turns;
                Product one(p, &real), two(p, &turns);
                one.run();
                two.run();
                differ += one.wrong() + two.wrong();
                other += one.total(&Counts::packed_a) != two.total(&Counts::packed_a) ||
                         one.total(&Counts::packed_b) != two.total(&Counts::packed_b) ||
                         one.most(&Counts::read_b) != two.most(&Counts::read_b) ||
                         one.most(&Counts::clock) != two.most(&Counts::clock);
            }
    Plan p;
    p.m = 8, p.n = 8, p.k = 8, p.pc = 2, p.careless = true;
    TurnsCrew turns;
    Product lost(p, &turns);
    lost.run();
    printf("{\"differ\": [%ld], \"other\": [%ld], \"lost\": [%ld]}\n", differ, other, lost.wrong());
}

static void set(Plan &p, const char *text)
{
    map<string, size_t *> names = {{"m", &p.m}, {"n", &p.n}, {"k", &p.k}, {"mc", &p.mc}, {"kc", &p.kc},
                                   {"nc", &p.nc}, {"jc", &p.jc}, {"pc", &p.pc}, {"ic", &p.ic}, {"jr", &p.jr},
                                   {"ir", &p.ir}, {"smt", &p.smt}, {"cores", &p.cores}, {"l3", &p.l3},
                                   {"whole", &p.whole}, {"caches", &p.caches}};
    const char *equals = strchr(text, '=');
    if (!equals || !names.count(string(text, equals)))
        die("expected NAME=VALUE");
    *names[string(text, equals)] = strtoul(equals + 1, nullptr, 10);
}

static void count(const Plan &p)
{
    TurnsCrew turns;
    Product one(p, &turns);
    Machine machine(p);
    if (p.caches)
        one.machine = &machine;
    one.run();
    printf("{\"packed_a\": [%lu], \"packed_b\": [%lu], \"reduced\": [%lu], \"barriers\": [%lu], ",
           one.total(&Counts::packed_a), one.total(&Counts::packed_b), one.total(&Counts::reduced),
           one.most(&Counts::barriers));
    printf("\"blocks\": [%zu], \"panels\": [%zu], \"read_a\": [%lu], \"read_b\": [%lu], ", p.jc * p.pc * p.ic,
           p.jc * p.pc, one.most(&Counts::read_a), one.most(&Counts::read_b));
    printf("\"work\": [%lu], \"span\": [%lu], \"busy\": [%ld]", one.total(&Counts::work), one.most(&Counts::clock),
           (long)count_if(one.counts.begin(), one.counts.end(), [](const Counts &c) { return c.work > 0; }));
    const char *kinds[] = {"ra", "rb", "wa", "wb", "a", "b", "c"};
    for (int kind = 0; kind < KINDS && p.caches; kind++)
        printf(", \"%s_l1\": [%lu], \"%s_l2\": [%lu], \"%s_l3\": [%lu], \"%s_far\": [%lu]", kinds[kind],
               machine.missed1[kind], kinds[kind], machine.missed2[kind], kinds[kind], machine.missed3[kind],
               kinds[kind], machine.remote[kind]);
    printf("}\n");
}

static void table()
{
    printf("      copies of    MiB packed   MiB of C  barriers   L1 misses  L2 misses of the kernel\n");
    printf("loop    A    B      A      B      added             on B         on A       on B\n");
    const char *names[] = {"none", "jc", "pc", "ic", "jr", "ir"};
    for (int loop = 0; loop < 6; loop++) {
        Plan p;
        size_t *ways[] = {nullptr, &p.jc, &p.pc, &p.ic, &p.jr, &p.ir};
        if (loop)
            *ways[loop] = 8;
        TurnsCrew turns;
        Product one(p, &turns);
        Machine machine(p);
        one.machine = &machine;
        one.run();
        printf("%-4s %4zu %4zu %6.1f %6.1f %10.1f %9lu %11lu %12lu %10lu\n", names[loop], p.jc * p.pc * p.ic,
               p.jc * p.pc, one.total(&Counts::packed_a) / 1048576.0, one.total(&Counts::packed_b) / 1048576.0,
               one.total(&Counts::reduced) / 1048576.0, one.most(&Counts::barriers), machine.missed1[READ_B],
               machine.missed2[READ_A], machine.missed2[READ_B]);
    }
}

int main(int argc, char **argv)
{
    Plan p;
    for (int i = 2; i < argc; i++)
        set(p, argv[i]);
    if (argc == 2 && !strcmp(argv[1], "check"))
        check();
    else if (argc >= 2 && !strcmp(argv[1], "count"))
        count(p);
    else if (argc == 2 && !strcmp(argv[1], "table"))
        table();
    else
        die("usage: threaded check | count NAME=VALUE ... | table");
    return 0;
}
