// A program that needs a library is told so by name before it runs.
// RUN: not %hone run %s 2>&1 | FileCheck %s
// CHECK: the program needs cuSOLVER (cusolverDn.h), which hone does not provide on the embedded device
#include <cusolverDn.h>
int main() {}
