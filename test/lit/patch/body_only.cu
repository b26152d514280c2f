// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu
// RUN: %hone opt %t/k.cu --recipe '' -o %t/out.cu 2> %t/remarks
// RUN: FileCheck --check-prefix=REMARK %s < %t/remarks
// RUN: FileCheck --match-full-lines --strict-whitespace %s < %t/out.cu
// The input itself stays as it was.
// RUN: cmp %s %t/k.cu
// Without -o the same text goes to stdout.
// RUN: %hone opt %t/k.cu --recipe '' 2> /dev/null | cmp - %t/out.cu
// A second time nothing changes any more.
// RUN: %hone opt %t/out.cu --recipe '' 2> /dev/null | cmp - %t/out.cu
// RUN: %hone debug-compare %t/k.cu %t/out.cu
// RUN: %clang_cuda_ptx %t/out.cu

// REMARK: k.cu:[[@LINE+10]]: kernel `scale`: re-emitted

/* A comment   with	odd  spacing stays. */
#define   WIDTH    32
#define TWICE(x) ((x)   *  2)
int   host( int a ){return TWICE(a) ;}

//      CHECK:int   host( int a ){return TWICE(a) ;}
// CHECK-EMPTY:
//      CHECK:__global__   void scale ( float*x,int n ) {
__global__   void scale ( float*x,int n ) {
int  i=blockIdx.x*WIDTH+threadIdx.x ;
       if( i<n ) x[ i ]*=2 ;
}   // end of scale
// CHECK-NEXT:  int i = blockIdx.x * WIDTH + threadIdx.x;
// CHECK-NEXT:  if (i < n) {
// CHECK-NEXT:    x[i] *= 2;
// CHECK-NEXT:  }
// CHECK-NEXT:}   // end of scale

//      CHECK:void   run(float *x){ scale<<< 1 , WIDTH >>>( x , TWICE(16) ); }
void   run(float *x){ scale<<< 1 , WIDTH >>>( x , TWICE(16) ); }
