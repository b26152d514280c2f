// cl-std: CL1.2
// expect-refused: broken 6 no_such_thing
// expect-imported: fine
// A kernel that does not compile beside one that does.
__kernel void broken(__global int *x) {
  x[get_global_id(0)] = no_such_thing;
}

__kernel void fine(__global int *x) { x[get_global_id(0)] = 1; }
