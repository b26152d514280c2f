// The page of a tuning run: made, well-formed, whole without a network, and source, names and paths in it are text, not markup.
// RUN: rm -rf %t && mkdir -p %t && cp %s "%t/a<b>&c.cl"
// RUN: %hone tune "%t/a<b>&c.cl" --device 'worker:%python %S/Inputs/fake_worker.py 20 wrong 2.5 timed-out 5' --set n=5000 --budget 5 --strategy exhaustive --no-store -o %t/out.cl --report %t/a.html 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/check_report.py %t/a.html "runs 4.00 times as fast" "What was changed" "Why" "Source" "The search" "All 5 variants" "Roofline" "Counters" "How it was measured" "2.50 µs" "wrong" "a<b>&c.cl" "<blink>" "a[i - 1] < 3.0f && a[i + 1] > 1.0f" "4 GB/s"
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 20' --set n=5000 --budget 1 --no-store -o %t/out.cl --report %t/b.html
// RUN: %python %S/Inputs/check_report.py %t/b.html "stays as it is" "nothing that was measured is faster" "Source" "The search"
// RUN: %hone tune %s --device embedded --set n=5000 --budget 3 -o %t/out.cl --report %t/c.html 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: %python %S/Inputs/check_report.py %t/c.html "Estimated" "no GPU took part" "Nothing was measured" "Source" "The search" "Counters"
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_worker.py 5 4' --sizes 'n=5000,9000' --budget 2 --no-store -o %t/out.cl --report %t/d.html
// RUN: %python %S/Inputs/check_report.py %t/d.html "on average over 2 sizes" "n=9000" "Sizes" "Source" "The search"
// RUN: %hone opt %s -o %t/out.cl --report %t/e.html && %python %S/Inputs/check_report.py %t/e.html "blur" "Nothing was measured" "Source" "The search"
// RUN: not %hone opt %s --recipe unroll -o %t/out.cl --report %t/e.html 2>&1 | FileCheck %s --check-prefix=RECIPE
// RUN: not %hone tune %s --device embedded --set n=5000 --bundle %t/bundle 2>&1 | FileCheck %s --check-prefix=BUNDLE

// CHECK: chosen: {{.+}}, 4.00 times as fast as the original
// CHECK: report: {{.*}}a.html
// MODEL: blur on the model of NVIDIA H200
// MODEL: times are the model's; nothing was measured
// RECIPE: --report shows what was chosen: leave --recipe
// BUNDLE: a bundle is for a real device

// </code></pre><blink>"text" & 'text'</blink>
__kernel void blur(__global const float* restrict a, __global float* restrict b, int n) {
  int i = get_global_id(0);  // </span><blink>
  if (i >= 1 && i < n - 1)
    b[i] = a[i - 1] < 3.0f && a[i + 1] > 1.0f ? a[i - 1] + a[i] + a[i + 1] : a[i];
}
