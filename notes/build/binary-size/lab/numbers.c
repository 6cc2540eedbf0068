/* Vectors, matrices, and a few algorithms. */
#include <ctype.h>
#include <string.h>

#include "toolbox.h"

void matrix_vector(const float *m, const float *x, float *y, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        y[i] = dot(m + (size_t)i * columns, x, columns);
}

void matrix_transpose(const float *m, float *t, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            t[(size_t)j * rows + i] = m[(size_t)i * columns + j];
}

void moving_average(const float *a, float *out, int n, int window)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (i >= window)
            sum -= a[i - window];
        out[i] = sum / (i < window ? i + 1 : window);
    }
}

float variance(const float *a, int n)
{
    float mean = 0, square = 0;
    for (int i = 0; i < n; i++) {
        float d = a[i] - mean;
        mean += d / (i + 1);
        square += d * (a[i] - mean);
    }
    return n > 1 ? square / (n - 1) : 0;
}

void sort_floats(float *a, int n)
{
    while (n > 1) {
        float pivot = a[n / 2];
        int i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (pivot < a[j])
                j--;
            if (i <= j) {
                float t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        sort_floats(a, j + 1);
        a += i;
        n -= i;
    }
}

int edit_distance(const char *a, const char *b)
{
    int row[256], m = (int)strlen(b);
    if (m > 255)
        return -1;
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int best = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[m];
}

int parse_number(const char *text, double *value)
{
    const char *p = text;
    double v = 0, scale = 1;
    int negative = *p == '-';
    p += negative;
    if (!isdigit((unsigned char)*p))
        return 0;
    while (isdigit((unsigned char)*p))
        v = v * 10 + (*p++ - '0');
    if (*p == '.')
        for (p++; isdigit((unsigned char)*p); p++)
            v += (*p - '0') * (scale /= 10);
    *value = negative ? -v : v;
    return (int)(p - text);
}

int is_prime(uint64_t n)
{
    for (uint64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 0;
    return n > 1;
}
