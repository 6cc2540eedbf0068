// Seeded random graphs: how far do ways to choose layouts stay behind the best choice?
//
// A node (operator) has a cost for each of three layouts, an edge (tensor) a price for each pair of unlike layouts.
// The best choice is found by trying all. All numbers are whole, so that ties and sums are exact.
//
//   ./graphs KIND COUNT PRICE   KIND: chain residual unet dense; PRICE: mean of a conversion, in % of an operator
//   ./graphs example            four operators with a residual connection, for which the chain rule fails
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 10, L = 3, MOST_EDGES = 45 };

typedef struct { int from, to; long price[L][L]; } Edge;
typedef struct { int n, edges; long cost[N][L]; Edge edge[MOST_EDGES]; } Graph;

static uint64_t state;
static long draw(long low, long high) {  // splitmix64
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return low + (long)((z ^ z >> 31) % (uint64_t)(high - low + 1));
}

static void join(Graph *g, int from, int to, long price) {
    Edge *e = &g->edge[g->edges++];
    e->from = from;
    e->to = to;
    for (int a = 0; a < L; a++)
        for (int b = 0; b < L; b++) e->price[a][b] = a == b ? 0 : draw(price / 2, price * 3 / 2);
}

static Graph make(const char *kind, long price) {
    Graph g = {.n = N};
    for (int i = 0; i < N; i++)
        for (int l = 0; l < L; l++) g.cost[i][l] = draw(10000, 13000);  // layouts differ by up to 30 %
    for (int i = 0; i + 1 < N; i++) join(&g, i, i + 1, price);
    if (!strcmp(kind, "residual"))  // around two operators and the addition, as in a residual network
        for (int i = 0; i + 3 < N; i += 3) join(&g, i, i + 3, price);
    else if (!strcmp(kind, "unet"))  // from each step down to the step up of the same size
        for (int i = 0; i < N / 2 - 1; i++) join(&g, i, N - 1 - i, price);
    else if (!strcmp(kind, "dense")) {  // each to each later one, in two blocks of five
        for (int b = 0; b < N; b += 5)
            for (int i = b; i < b + 5; i++)
                for (int j = i + 2; j < b + 5; j++) join(&g, i, j, price);
    } else if (strcmp(kind, "chain")) exit(2);
    return g;
}

static long total(const Graph *g, const int *x) {
    long sum = 0;
    for (int i = 0; i < g->n; i++) sum += g->cost[i][x[i]];
    for (int e = 0; e < g->edges; e++) sum += g->edge[e].price[x[g->edge[e].from]][x[g->edge[e].to]];
    return sum;
}

// The same, but consumers that want a tensor in the same other layout share one conversion, the dearest of theirs.
static long shared(const Graph *g, const int *x) {
    long sum = 0, paid[N][L] = {{0}};
    for (int i = 0; i < g->n; i++) sum += g->cost[i][x[i]];
    for (int e = 0; e < g->edges; e++) {
        const Edge *d = &g->edge[e];
        long p = d->price[x[d->from]][x[d->to]], *before = &paid[d->from][x[d->to]];
        if (p > *before) sum += p - *before, *before = p;
    }
    return sum;
}

// Tries all choices; a beginning that already costs as much as the best so far is given up.
typedef struct { const Graph *g; int x[N], *best; long least, paid[N][L]; int share; } Search;

static void deeper(Search *s, int i, long sum) {
    if (sum >= s->least) return;
    if (i == s->g->n) {
        s->least = sum;
        memcpy(s->best, s->x, sizeof s->x);
        return;
    }
    for (int l = 0; l < L; l++) {
        long next = sum + s->g->cost[i][l], before[N][L];
        s->x[i] = l;
        memcpy(before, s->paid, sizeof before);
        for (int e = 0; e < s->g->edges; e++) {
            const Edge *d = &s->g->edge[e];
            if (d->to != i) continue;  // edges lead from lower to higher numbers
            long p = d->price[s->x[d->from]][l], *paid = &s->paid[d->from][l];
            if (!s->share) next += p;
            else if (p > *paid) next += p - *paid, *paid = p;
        }
        deeper(s, i + 1, next);
        memcpy(s->paid, before, sizeof before);
    }
}

static void greedy(const Graph *g, int *x) {  // each operator's own best
    for (int i = 0; i < g->n; i++) {
        x[i] = 0;
        for (int l = 1; l < L; l++)
            if (g->cost[i][l] < g->cost[i][x[i]]) x[i] = l;
    }
}

static void uniform(const Graph *g, int *x) {  // one layout for the whole graph
    long least = -1;
    for (int l = 0; l < L; l++) {
        int y[N];
        for (int i = 0; i < g->n; i++) y[i] = l;
        if (least < 0 || total(g, y) < least) least = total(g, y), memcpy(x, y, sizeof y);
    }
}

// Shortest path along the chain 0, 1, 2, ...: sees the first n - 1 edges and no other.
static long steps;
static void chain(const Graph *g, int *x) {
    long cost[N][L];
    int from[N][L] = {{0}};
    memcpy(cost[0], g->cost[0], sizeof cost[0]);
    for (int i = 1; i < g->n; i++)
        for (int l = 0; l < L; l++) {
            cost[i][l] = -1;
            for (int k = 0; k < L; k++) {
                long c = cost[i - 1][k] + g->edge[i - 1].price[k][l] + g->cost[i][l];
                steps++;
                if (cost[i][l] < 0 || c < cost[i][l]) cost[i][l] = c, from[i][l] = k;
            }
        }
    int l = 0;
    for (int k = 1; k < L; k++)
        if (cost[g->n - 1][k] < cost[g->n - 1][l]) l = k;
    for (int i = g->n - 1; i >= 0; i--) x[i] = l, l = from[i][l];
}

// Begins with the chain's choice, so that much can be given up early.
static void best(const Graph *g, int *x, int share) {
    Search s = {.g = g, .best = x, .share = share};
    chain(g, x);
    s.least = share ? shared(g, x) : total(g, x);
    deeper(&s, 0, 0);
}

// Partitioned Boolean quadratic programming: take out nodes with one or two neighbours without loss (their best answer
// to each choice of the neighbours is added to these); where there is none, fix the node with most neighbours to what
// looks best now. Returns how often that guess was needed.
static int reduce(const Graph *g, int *x) {
    long node[N][L], m[N][N][L][L] = {{{{0}}}};
    int adjacent[N][N] = {{0}}, gone[N] = {0}, fixed[N], order[N], guesses = 0;
    memcpy(node, g->cost, sizeof node);
    for (int e = 0; e < g->edges; e++) {
        int a = g->edge[e].from, b = g->edge[e].to;
        adjacent[a][b] = adjacent[b][a] = 1;
        for (int i = 0; i < L; i++)
            for (int j = 0; j < L; j++) m[a][b][i][j] += g->edge[e].price[i][j], m[b][a][j][i] += g->edge[e].price[i][j];
    }
    for (int done = 0; done < g->n; done++) {
        int pick = -1, least = N, most = -1, widest = -1;
        for (int i = 0; i < g->n; i++) {
            if (gone[i]) continue;
            int degree = 0;
            for (int j = 0; j < g->n; j++) degree += adjacent[i][j];
            if (degree < least) least = degree, pick = i;
            if (degree > most) most = degree, widest = i;
        }
        int near[N], k = 0;
        if (least > 2) pick = widest;
        for (int j = 0; j < g->n; j++)
            if (adjacent[pick][j]) near[k++] = j;
        fixed[pick] = -1;
        if (k == 1)
            for (int i = 0; i < L; i++) {
                long low = -1;
                for (int l = 0; l < L; l++) {
                    long c = node[pick][l] + m[pick][near[0]][l][i];
                    if (low < 0 || c < low) low = c;
                }
                node[near[0]][i] += low;
            }
        else if (k == 2) {
            int a = near[0], b = near[1];
            for (int i = 0; i < L; i++)
                for (int j = 0; j < L; j++) {
                    long low = -1;
                    for (int l = 0; l < L; l++) {
                        long c = node[pick][l] + m[pick][a][l][i] + m[pick][b][l][j];
                        if (low < 0 || c < low) low = c;
                    }
                    m[a][b][i][j] += low;
                    m[b][a][j][i] += low;
                }
            adjacent[a][b] = adjacent[b][a] = 1;
        } else if (k > 2) {
            long low = -1;
            guesses++;
            for (int l = 0; l < L; l++) {
                long c = node[pick][l];
                for (int j = 0; j < k; j++) {
                    long part = -1;
                    for (int i = 0; i < L; i++)
                        if (part < 0 || node[near[j]][i] + m[pick][near[j]][l][i] < part) part = node[near[j]][i] + m[pick][near[j]][l][i];
                    c += part;
                }
                if (low < 0 || c < low) low = c, fixed[pick] = l;
            }
            for (int j = 0; j < k; j++)
                for (int i = 0; i < L; i++) node[near[j]][i] += m[pick][near[j]][fixed[pick]][i];
        }
        for (int j = 0; j < g->n; j++) adjacent[pick][j] = adjacent[j][pick] = 0;
        gone[pick] = 1;
        order[done] = pick;
        // bits above the first remember the neighbours at this time, for the way back
        for (int j = 0; j < k; j++) gone[pick] |= 1 << (near[j] + 1);
    }
    for (int d = g->n - 1; d >= 0; d--) {
        int i = order[d];
        if (fixed[i] >= 0) {
            x[i] = fixed[i];
            continue;
        }
        long low = -1;
        for (int l = 0; l < L; l++) {
            long c = node[i][l];
            for (int j = 0; j < g->n; j++)
                if (gone[i] >> (j + 1) & 1) c += m[i][j][l][x[j]];
            if (low < 0 || c < low) low = c, x[i] = l;
        }
    }
    return guesses;
}

typedef struct { int worse; double sum, most; } Tally;
static void note(Tally *t, long cost, long least) {
    double excess = (double)(cost - least) / (double)least;
    t->worse += cost > least;
    t->sum += excess;
    if (excess > t->most) t->most = excess;
}
static void show(const char *name, Tally t, int count) {
    printf("  \"%s_worse\": %d, \"%s_mean\": %.6f, \"%s_most\": %.6f,\n", name, t.worse, name, t.sum / count, name, t.most);
}

static void example(void) {
    // a - b - c - d and the residual a - d; a and d are cheaper in layout 0, b and c in layout 1, a conversion costs 3.
    enum { NO = 99 };  // the third layout is not to be chosen
    Graph g = {.n = 4, .cost = {{10, 14, NO}, {13, 10, NO}, {13, 10, NO}, {13, 14, NO}}};
    static const int ends[4][2] = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
    for (int i = 0; i < 4; i++)
        g.edge[g.edges++] = (Edge){ends[i][0], ends[i][1], {{0, 3, NO}, {3, 0, NO}, {NO, NO, 0}}};
    int x[N];
    struct { const char *name; void (*f)(const Graph *, int *); } ways[] = {{"each its own", greedy}, {"chain", chain}, {"one layout", uniform}};
    printf("%-15s%10s%8s\n", "choice", "layouts", "cost");
    for (int i = 0; i < 3; i++) {
        ways[i].f(&g, x);
        printf("%-15s%7d%d%d%d%7ld\n", ways[i].name, x[0], x[1], x[2], x[3], total(&g, x));
    }
    best(&g, x, 0);
    printf("%-15s%7d%d%d%d%7ld\n", "best", x[0], x[1], x[2], x[3], total(&g, x));
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "example")) {
        example();
        return 0;
    }
    if (argc != 4) {
        fprintf(stderr, "usage: graphs KIND COUNT PRICE | example\n");
        return 2;
    }
    int count = atoi(argv[2]), guesses = 0;
    long once = 0;
    long price = (long)(atof(argv[3]) * 100);
    Tally own = {0}, one = {0}, path = {0}, pbqp = {0}, edge = {0};
    for (int i = 0; i < count; i++) {
        state = 20261130u + (uint64_t)i;
        Graph g = make(argv[1], price);
        int x[N], opt[N];
        best(&g, opt, 0);
        long least = total(&g, opt);
        steps = 0, chain(&g, x), once = steps, note(&path, total(&g, x), least);
        greedy(&g, x), note(&own, total(&g, x), least);
        uniform(&g, x), note(&one, total(&g, x), least);
        guesses += reduce(&g, x) > 0, note(&pbqp, total(&g, x), least);
        best(&g, x, 1);
        note(&edge, shared(&g, opt), shared(&g, x));
    }
    printf("{\n");
    show("greedy", own, count);
    show("uniform", one, count);
    show("chain", path, count);
    show("pbqp", pbqp, count);
    show("edges", edge, count);
    printf("  \"guessed\": %d, \"steps\": %ld, \"choices\": %d\n}\n", guesses, once, 59049);
    return 0;
}
