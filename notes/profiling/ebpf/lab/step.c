// The compiler inlines `step` into `many_steps`, and keeps a copy for callers in other files.
long step(long x) { return x * 3 + 1; }

long many_steps(long n) {
    long x = n;
    for (long i = 0; i < n; i++) x = step(x);
    return x;
}
