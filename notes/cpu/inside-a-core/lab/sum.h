/* n must be a multiple of 32. */
double sum_1(const double *a, long n);
double sum_2(const double *a, long n);
double sum_4(const double *a, long n);
double sum_8(const double *a, long n);
double sum_32(const double *a, long n);
