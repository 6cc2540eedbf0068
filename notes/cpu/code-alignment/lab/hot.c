/* The functions that nobody touches. Each has a file of its own, chosen with -D, so that the linker
 * can place it anywhere.
 *
 * words: several short independent steps per byte; how fast the core gets instructions can decide.
 * hash:  each step waits for the multiplication before it; how fast instructions come hardly matters.
 */
#include "hot.h"

#ifdef WORDS
size_t words(const unsigned char *text, size_t length)
{
    size_t count = 0, inside = 0;
#ifdef MORE                              /* a real regression: a twentieth of the text is read twice */
    for (size_t i = 0; i < length / 20; i++)
        count += text[i] == 0;
#endif
    for (size_t i = 0; i < length; i++) {
        if (text[i] <= ' ')
            inside = 0;
        else {
            count += !inside;
            inside = 1;
        }
    }
    return count;
}
#else
uint32_t hash(const unsigned char *text, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ text[i]) * 16777619u;
    return h;
}
#endif
