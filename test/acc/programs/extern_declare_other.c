// PART
extern int factor;
#pragma acc declare create(factor)
extern int table[16];
#pragma acc declare create(table)
int offset = 5;
#pragma acc declare copyin(offset)
int large[100];
#pragma acc declare link(large)
#pragma acc routine seq
static int from_table(int x) { return table[x % 16] * 2; }
#pragma acc routine seq
int scaled(int x) { return x * factor + from_table(x) + offset; }
#pragma acc routine seq
int from_large(int i) { return large[i]; }
void update_table(int by) {
  for (int i = 0; i < 16; ++i) table[i] = i * by;
#pragma acc update device(table)
}
int sum_of_other(int n) {
  int sum = 0;
#pragma acc data copyin(large)
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += factor * i + table[i % 16] + from_large(i % 100);
  return sum;
}
