// Assembly that no assembler would take leaves its kernel alone, in words, whatever is wrong with it.
// RUN: %hone run %s 2>&1 | FileCheck %s
#include <cstdio>
__global__ void broken(unsigned* a) {
  // CHECK: broken_assembly.cu:[[#@LINE+1]]: kernel broken cannot run: inline assembly '/* never closed'
  asm("/* never closed" : "+r"(a[0]));
}
__global__ void guarded(unsigned* a) {
  // CHECK: broken_assembly.cu:[[#@LINE+1]]: kernel guarded cannot run: inline assembly '@p'
  asm("@p" : "+r"(a[0]));
}
__global__ void packed(unsigned* a) {
  // CHECK: broken_assembly.cu:[[#@LINE+1]]: kernel packed cannot run: inline assembly 'mov.b32 {}, $0'
  asm("mov.b32 {}, %0;" : "+r"(a[0]));
}
__global__ void typed(unsigned* a) {
  // CHECK: broken_assembly.cu:[[#@LINE+1]]: kernel typed cannot run: inline assembly 'add.u99999999999 $0, $0, $0'
  asm("add.u99999999999 %0, %0, %0;" : "+r"(a[0]));
}
__global__ void numbers(unsigned* a) {
  // CHECK: broken_assembly.cu:[[#@LINE+1]]: kernel numbers cannot run: inline assembly '99999999999999999999999'
  asm("mov.u32 %0, 99999999999999999999999;" : "+r"(a[0]));
}
__global__ void minus(unsigned* a) {
  // CHECK: broken_assembly.cu:[[#@LINE+1]]: kernel minus cannot run: inline assembly '-'
  asm("mov.u32 %0, -;" : "+r"(a[0]));
}
__global__ void exact(float* a) {
  // CHECK: broken_assembly.cu:[[#@LINE+1]]: kernel exact cannot run: inline assembly '0fzz'
  asm("mov.f32 %0, 0fzz;" : "+f"(a[0]));
}
__global__ void empty(unsigned* a) {
  // CHECK: broken_assembly.cu:[[#@LINE+1]]: kernel empty cannot run: inline assembly 'add.u32 $0, , $0'
  asm("add.u32 %0, , %0;" : "+r"(a[0]));
}
// CHECK: done
int main() { std::printf("done\n"); }
