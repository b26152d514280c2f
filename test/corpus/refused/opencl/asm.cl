// cl-std: CL1.2
// expect-refused: usesAsm 5 assembly
// Inline assembly.
__kernel void usesAsm(__global int *x) {
  __asm__("nop");
  x[get_global_id(0)] = 1;
}
