// enter data with members, attach and detach by hand.
#include "acctest.h"
typedef struct { int n; int *data; } Box;
int main(void) {
  FOR_SIZES(n) {
    Box *b = (Box *)malloc(sizeof(Box));
    b->n = n;
    b->data = new_ints(n, 1);
#pragma acc enter data copyin(b[0:1])
#pragma acc enter data copyin(b->data[0:n])
#pragma acc parallel loop present(b)
    for (int i = 0; i < b->n; ++i) b->data[i] += i;
#pragma acc exit data copyout(b->data[0:n])
    show("data", b->data, n);
    int *other = new_ints(n, 5), *kept = b->data;
#pragma acc enter data copyin(other[0:n])
    b->data = other;
#pragma acc enter data attach(b->data)
#pragma acc parallel loop present(b)
    for (int i = 0; i < b->n; ++i) b->data[i] *= 3;
#pragma acc exit data detach(b->data)
#pragma acc exit data copyout(other[0:n])
#pragma acc exit data delete(b[0:1])
    show("other", other, n);
    free(kept); free(other); free(b);
  }
  return 0;
}
