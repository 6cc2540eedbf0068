// Asks a library for objects and exceptions, and prints what the program recognises as one JSON object.
#include <cstdio>
#include "types.h"

static int caught(bool local)
{
    try {
        fail(local);
    } catch (const Failure &) {
        return 1;
    } catch (const LocalFailure &) {
        return 1;
    } catch (...) {
        return 0;
    }
    return 0;
}

int main()
{
    bump();
    counter()++;
    std::printf("{\"cast\": %d, \"cast_local\": %d, \"caught\": %d, \"caught_local\": %d, "
                "\"one_type\": %d, \"count\": %d}\n",
                dynamic_cast<Circle *>(make_circle()) != nullptr,
                dynamic_cast<Local *>(make_local()) != nullptr, caught(false), caught(true),
                circle_type() == &typeid(Circle), counter());
    return 0;
}
