// Members of one struct in clauses: each is where the others expect it, whichever of them clauses name.
#include "acctest.h"
typedef struct {
  char tag;
  int n, arr[1025], b[1025];
  struct {
    int k, table[8];
  } in;
} S;
static void fill(S *s, int n) {
  s->tag = 7;
  s->n = n;
  for (int i = 0; i < n; ++i) s->arr[i] = i, s->b[i] = 3 * i;
  s->in.k = 2;
  for (int i = 0; i < 8; ++i) s->in.table[i] = i;
}
/* Without clauses: what the callers have brought, and the rest. */
static void twice(S *s) {
#pragma acc parallel loop present(s->arr, s->b)
  for (int i = 0; i < 8; ++i) s->arr[i] += s->b[i];
}
static void inner(S *s, int n) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) s->arr[i] += s->b[i];
}
static S s;
#define MEMBER(name) s.name
int main(void) {
  FOR_SIZES(n) {
    fill(&s, n);
    S *p = &s;
#pragma acc parallel loop copy(s.arr) copyin(s.b)
    for (int i = 0; i < n; ++i) s.arr[i] += s.b[i];
#pragma acc parallel loop copy(MEMBER(arr)) copyin(MEMBER(b))
    for (int i = 0; i < n; ++i) MEMBER(arr)[i] ^= MEMBER(b)[i];
#pragma acc parallel loop copy(p->arr) copyin(p->b)
    for (int i = 0; i < n; ++i) p->arr[i] += p->b[i];
#pragma acc parallel loop copy(s.arr)
    for (int i = 0; i < s.n; ++i) s.arr[i] += s.in.table[i % 8];
#pragma acc parallel loop copy(p->arr[0 : n])
    for (int i = 0; i < p->n; ++i) p->arr[i] += p->in.k;
#pragma acc serial copy(s.n, s.in.k)
    {
      s.n += 1;
      s.in.k *= s.n;
    }
#pragma acc serial copyin(s.n) copyout(s.in.table)
    for (int i = 0; i < 8; ++i) s.in.table[i] = s.n + i;
#pragma acc data copy(s.arr) copyin(s.b)
    {
#pragma acc parallel loop present(s.arr, s.b)
      for (int i = 0; i < n; ++i) s.arr[i] -= 2 * s.b[i];
#pragma acc parallel loop
      for (int i = 0; i < n; ++i) s.arr[i] += s.in.k;
      inner(&s, n);
      twice(&s);
#pragma acc update self(s.arr)
      printf("%d\n", n ? s.arr[n - 1] : 0);
    }
#pragma acc enter data copyin(p->arr) create(p->in.table)
#pragma acc kernels present(p->arr, p->in.table)
    for (int i = 0; i < 8; ++i) p->in.table[i] = p->arr[i] + 1;
#pragma acc exit data delete (p->arr) copyout(p->in.table)
    show("arr", s.arr, n);
    show("table", s.in.table, 8);
    printf("%d %d %d\n", s.tag, s.n, s.in.k);
  }
  return 0;
}
