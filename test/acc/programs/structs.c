// Row A4: structs by value, arrays of structs, nested structs, unions and enums in device code.
#include "acctest.h"
typedef enum { Red, Green = 5, Blue } Color;
typedef struct { float x, y; } P;
typedef struct { P at; P by; Color color; union { int i; unsigned char b[4]; } u; unsigned flags : 5; unsigned more : 11; } Particle;
static P add(P a, P b) {
  P r = {a.x + b.x, a.y + b.y};
  return r;
}
int main(void) {
  FOR_SIZES(n) {
    Particle *p = (Particle *)calloc((size_t)n + 1, sizeof(Particle));
    P wind = {0.5f, -0.25f};
    for (int i = 0; i < n; ++i) p[i].at.x = (float)i, p[i].by.y = 2, p[i].u.i = i * 7;
#pragma acc parallel loop copy(p[0:n])
    for (int i = 0; i < n; ++i) {
      Particle q = p[i];
      q.at = add(add(q.at, q.by), wind);
      q.color = i % 2 ? Green : Blue;
      q.u.i += q.color;
      q.flags = (unsigned)(i + 3);
      q.more = q.flags * 2;
      p[i] = q;
    }
    double sum = 0;
    long bits = 0;
    for (int i = 0; i < n; ++i) sum += p[i].at.x + p[i].at.y, bits += p[i].u.b[0] + p[i].flags * 3 + p[i].more + p[i].color;
    printf("%g %ld\n", sum, bits);
    free(p);
  }
  return 0;
}
