/* The interface of the library: three functions. */
#define API __attribute__((visibility("default")))

API double stats_mean(const double *values, int count);
API double stats_spread(const double *values, int count);
API double stats_apply(int which, const double *values, int count);
