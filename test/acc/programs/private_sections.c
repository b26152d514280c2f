// private and firstprivate sections of pointers, and arrays like them: each gang, worker or thread has memory of its own.
#include "acctest.h"

// One section a gang, which the lanes of the gang share.
static void of_gangs(int n, int rows, const int *a, int *out) {
  int *row = new_ints(n, 5);
#pragma acc parallel num_gangs(6) vector_length(64) copyin(a[0:rows * n]) copyout(out[0:rows]) private(row[0:n])
  {
#pragma acc loop gang
    for (int r = 0; r < rows; ++r) {
#pragma acc loop vector
      for (int i = 0; i < n; ++i) row[i] = a[r * n + i] * 2;
      int sum = 0;
#pragma acc loop seq
      for (int i = 0; i < n; ++i) sum += row[n - 1 - i] * (i % 3);
      out[r] = sum;
    }
  }
  free(row);
}

// What the host has, not what the device has; the host's stays, and so does the device's.
static int first(int n, int rows, const int *a, int *out) {
  int *row = new_ints(n, 7), changed = 0;
#pragma acc data copyin(row[0:n])
  {
    for (int i = 0; i < n; ++i) row[i] += 1000;
#pragma acc parallel num_gangs(rows) copyin(a[0:rows * n]) copyout(out[0:rows]) firstprivate(row[0:n])
    {
#pragma acc loop gang
      for (int r = 0; r < rows; ++r) {
#pragma acc loop vector
        for (int i = 0; i < n; ++i) row[i] += a[r * n + i];
        int sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < n; ++i) sum += row[n - 1 - i] * (i % 5);
        out[r] = sum;
#pragma acc loop vector
        for (int i = 0; i < n; ++i) row[i] -= a[r * n + i];
      }
    }
#pragma acc serial copyout(changed)
    {
      changed = 0;
#pragma acc loop seq
      for (int i = 0; i < n; ++i) changed += row[i];
    }
    changed = IN_ACC(changed < 1000 || n == 0);
  }
  free(row);
  return changed;
}

// Sections that begin later, of serial constructs, and behind conditions that do not hold.
static void later(int n, int *out) {
  int *part = new_ints(2 * n, 3);
#pragma acc serial firstprivate(part[n:n]) copyout(out[0:n])
  {
    for (int i = 0; i < n; ++i) part[n + i] += i;
    for (int i = 0; i < n; ++i) out[i] = part[2 * n - 1 - i];
  }
  for (int i = 0; i < 2 * n; ++i) part[i] = i;
#pragma acc parallel num_gangs(3) firstprivate(part[n:n]) copy(out[0:n])
  {
#pragma acc loop gang vector
    for (int i = 0; i < n; ++i) out[i] += part[n + i];
  }
  free(part);
}

// One a thread, one a worker, one a gang, by where the loop's directive stands.
static void of_loops(int n, int m, int *out) {
  int *own = new_ints(m, 1);
#pragma acc parallel loop gang vector copyout(out[0:n]) private(own[0:m])
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < m; ++k) own[k] = i * k;
    int sum = 0;
    for (int k = 0; k < m; ++k) sum += own[m - 1 - k] ^ k;
    out[i] = sum;
  }
#pragma acc parallel copy(out[0:n])
  {
#pragma acc loop gang worker private(own[1:m])
    for (int i = 0; i < n; ++i) {
#pragma acc loop vector
      for (int k = 1; k <= m; ++k) own[k] = i + k;
      int sum = 0;
#pragma acc loop vector reduction(+ : sum)
      for (int k = 1; k <= m; ++k) sum += own[m + 1 - k] * k;
      out[i] += sum;
    }
  }
#pragma acc parallel num_gangs(4) copy(out[0:n])
  {
#pragma acc loop gang private(own[0:m])
    for (int i = 0; i < n; ++i) {
#pragma acc loop vector
      for (int k = 0; k < m; ++k) own[k] = i - k;
      int sum = 0;
#pragma acc loop vector reduction(+ : sum)
      for (int k = 0; k < m; ++k) sum += own[m - 1 - k] * k;
      out[i] += sum;
    }
  }
#pragma acc kernels loop copy(out[0:n]) private(own[0:m])
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < m; ++k) own[k] = out[i] + k;
    out[i] = own[0] + own[m - 1];
  }
  free(own);
}

// A section of an array is a part of a copy of the whole; pointers to rows have rows.
static void others(int n, int *out) {
  int fixed[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int(*rows)[4] = (int(*)[4])new_ints(4 * n, 9);
#pragma acc parallel num_gangs(2) firstprivate(fixed[2:4], rows[0:n]) copyout(out[0:n])
  {
#pragma acc loop gang vector
    for (int i = 0; i < n; ++i) out[i] = fixed[2 + i % 4] + rows[i][i % 4] * 10;
  }
  free(rows);
}

// Arrays of a length that is known only at run time, and large ones.
static void arrays(int n, int *out) {
  int m = 4 + n % 3;
  int own[m][3], large[700];
  for (int k = 0; k < 3 * m; ++k) own[k / 3][k % 3] = k;
  for (int k = 0; k < 700; ++k) large[k] = 3 * k;
#pragma acc parallel num_gangs(5) copyout(out[0:n]) firstprivate(own, large)
  {
#pragma acc loop gang
    for (int i = 0; i < n; ++i) {
      own[i % m][1] += i;
      large[i % 700] += 2;
      out[i] = own[i % m][1] + own[m - 1][2] + large[i % 700];
      own[i % m][1] -= i;
      large[i % 700] -= 2;
    }
  }
#pragma acc parallel loop copy(out[0:n]) private(own)
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < m; ++k) own[k][k % 3] = i + k;
    out[i] += own[m - 1][(m - 1) % 3] - own[0][0];
  }
#pragma acc parallel num_gangs(3) copy(out[0:n]) private(own)
  {
#pragma acc loop gang
    for (int i = 0; i < n; ++i) {
#pragma acc loop vector
      for (int k = 0; k < m; ++k) own[k][0] = i * k;
      out[i] -= own[m - 1][0];
    }
  }
#ifdef _OPENACC
  int changed = 0;
  for (int k = 0; k < 3 * m; ++k) changed += own[k / 3][k % 3] != k;
  for (int k = 0; k < 700; ++k) changed += large[k] != 3 * k;
  if (changed) printf("the host's arrays have changed\n");
#endif
}

int main(void) {
  FOR_SIZES(n) {
    const int rows = 9;
    int *a = new_ints(n * rows, 2), *out = new_ints(n + rows, 4);
    of_gangs(n, rows, a, out);
    show("gangs", out, rows);
    printf("%d\n", first(n, rows, a, out));
    show("first", out, rows);
    later(n, out);
    show("later", out, n);
    of_loops(n, 5, out);
    show("loops", out, n);
    others(n, out);
    show("others", out, n);
    arrays(n, out);
    show("arrays", out, n);
    free(a);
    free(out);
  }
  return 0;
}
