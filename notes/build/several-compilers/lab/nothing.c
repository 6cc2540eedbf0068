// The code of a stand-in for an old library: only its name and its versions matter.
int nothing;
