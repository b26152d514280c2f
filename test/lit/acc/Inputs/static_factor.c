static int factor = 3;
#pragma acc declare create(factor)
#pragma acc routine seq
int scaled(int x) { return x * factor; }
void set(int x) { factor = x;
#pragma acc update device(factor)
}
