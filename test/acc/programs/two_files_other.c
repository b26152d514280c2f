// The other file of two_files.c.
// PART
#pragma acc routine seq
int elsewhere(int x) { return x * 3 + 1; }
int shared_table[10];
#pragma acc declare create(shared_table)
static int helper(int x) { return x & 3; }
void add_there(int *a, int n) {
  for (int i = 0; i < 10; ++i) shared_table[i] = i;
#pragma acc update device(shared_table)
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += helper(i) + shared_table[i % 10];
}
