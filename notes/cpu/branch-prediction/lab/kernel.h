#define LIMIT 128       /* the values are 0 .. 255 */

long long sum_branch(const int *value, long count);
long long sum_cmov(const int *value, long count);
long long sum_vector(const int *value, long count);
