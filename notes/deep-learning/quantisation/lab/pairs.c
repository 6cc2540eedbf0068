// How often vpmaddubsw, the 8-bit product of AVX2, saturates: each pair of products is added in 16 bits.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1024, SUMS = 2048 };

static uint8_t left[LENGTH];
static int8_t right[LENGTH];
static uint64_t state = 1;
static char json[4096];
static int used;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static int uniform(int low, int high)
{
    return low + (int)(draw() % (uint32_t)(high - low + 1));
}

// About normal, with the given deviation: twelve uniform numbers added, in thousandths.
static int normal(int deviation)
{
    long sum = 0;
    for (int i = 0; i < 12; i++)
        sum += uniform(-500, 500);
    return (int)(sum * deviation / 1000);
}

static int within(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

// As the sequence vpmaddubsw, vpmaddwd, vpaddd computes it.
static int32_t by_instruction(void)
{
    __m256i sum = _mm256_setzero_si256();
    const __m256i ones = _mm256_set1_epi16(1);
    for (int i = 0; i < LENGTH; i += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(left + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(right + i));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), ones));
    }
    int32_t parts[8], total = 0;
    memcpy(parts, &sum, sizeof parts);
    for (int i = 0; i < 8; i++)
        total += parts[i];
    return total;
}

static void one_case(const char *name, const char *words, int kind)
{
    long pairs = 0, saturated = 0, wrong = 0;
    long worst = 0;
    for (int s = 0; s < SUMS; s++) {
        int64_t exact = 0;
        for (int i = 0; i < LENGTH; i++) {
            int a, b;
            switch (kind) {
            case 0: a = uniform(0, 255), b = uniform(-127, 127); break;
            case 1: a = uniform(0, 127), b = uniform(-127, 127); break;
            case 2: a = uniform(0, 255), b = uniform(-64, 63); break;
            case 3: a = abs(normal(64)), b = normal(32); break;
            case 4: a = abs(normal(128)), b = normal(64); break;
            default: a = 128 + normal(32), b = normal(32); break;
            }
            left[i] = (uint8_t)within(a, 0, 255);
            right[i] = (int8_t)within(b, -127, 127);
            exact += left[i] * right[i];
        }
        for (int i = 0; i < LENGTH; i += 2) {
            int pair = left[i] * right[i] + left[i + 1] * right[i + 1];
            saturated += pair > INT16_MAX || pair < INT16_MIN;
            pairs++;
        }
        long off = labs((long)(by_instruction() - exact));
        wrong += off != 0;
        worst = off > worst ? off : worst;
    }
    printf("%-42s %9ld %10ld %11ld\n", words, saturated, wrong, worst);
    used += snprintf(json + used, sizeof json - (size_t)used, ", \"%s_pairs\": %ld, \"%s\": %ld, \"%s_wrong\": %ld, \"%s_worst\": %ld",
                     name, pairs, name, saturated, name, wrong, name, worst);
}

int main(void)
{
    left[0] = left[1] = 255;
    right[0] = right[1] = 127;
    int32_t example = by_instruction();
    printf("255 * 127 + 255 * 127 = %d, and the instruction gives %d\n", 255 * 127 * 2, example);
    printf("%-42s %9s %10s %11s\n", "unsigned codes times signed codes", "saturated", "wrong sums", "largest off");
    used = snprintf(json, sizeof json, "{\"example\": %d, \"example_wide\": %d", example, left[0] * right[0] + left[1] * right[1]);
    one_case("uniform", "0..255 times -127..127, all alike", 0);
    one_case("seven_left", "0..127 times -127..127, all alike", 1);
    one_case("seven_right", "0..255 times -64..63, all alike", 2);
    one_case("relu", "after ReLU, largest at 4 deviations", 3);
    one_case("clipped", "after ReLU, cut at 2 deviations", 4);
    one_case("shifted", "signed plus 128, largest at 4 deviations", 5);
    printf("%s}\n", json);
    return 0;
}
