/* What the files of the library share with each other. */
double add_up(const double *values, int count);
double largest(const double *values, int count);
double smallest(const double *values, int count);
double square(double value);
void note_call(void);
extern int calls_made;
