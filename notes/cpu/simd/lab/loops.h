float other(float x);
