// cl-std: CL2.0
// expect-refused: consume 4 pipe
// Pipes.
kernel void consume(read_only pipe int in, global int *out) {
  int v;
  if (read_pipe(in, &v) == 0)
    out[get_global_id(0)] = v;
}
