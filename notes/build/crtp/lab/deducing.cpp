// C++23: the base is no template, and the function takes the object under its own type.
struct Base {
    float apply(this const auto &self, float x) { return self.compute(x); }
};
struct Scale : Base {
    float factor = 2;
    float compute(float x) const { return x * factor; }
};
float use(float x) { return Scale().apply(x); }
