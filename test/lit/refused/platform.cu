// Types and functions of the platform that hone does not know, or not this far.
// RUN: %hone explain %s -- -isystem %S/Inputs 2>&1 | FileCheck %s
#include <cooperative_groups.h>
#include <mma.h>
#include <platform.h>

using Group = cooperative_groups::odd_group;

// CHECK-LABEL: kernel `constructs`
// CHECK-NEXT: left alone: constructor of 'cooperative_groups::odd_group' ({{.*}}:[[@LINE+2]])
__global__ void constructs(int* x) {
  Group g(1, 2);
  x[0] = 1;
}

// CHECK-LABEL: kernel `turns`
// CHECK-NEXT: left alone: 'turn' of a cooperative group ({{.*}}:[[@LINE+1]])
__global__ void turns(Group g) { g.turn(); }

// CHECK-LABEL: kernel `stops`
// CHECK-NEXT: left alone: 'stop' of a cooperative group ({{.*}}:[[@LINE+1]])
__global__ void stops(Group g) { g.stop(); }

// CHECK-LABEL: kernel `withoutGroup`
// CHECK-NEXT: left alone: static function 'sync' of a cooperative group ({{.*}}:[[@LINE+1]])
__global__ void withoutGroup() { cooperative_groups::thread_block::sync(); }

// CHECK-LABEL: kernel `measures`
// CHECK-NEXT: left alone: member of 'handle cooperative_groups::odd_group' ({{.*}}:[[@LINE+1]])
__global__ void measures(int* x, Group g) { x[0] = g.width; }

// CHECK-LABEL: kernel `marks`
// CHECK-NEXT: left alone: member of a vector type that is no lane ({{.*}}:[[@LINE+1]])
__global__ void marks(int* x, ulonglong2_16a v) { x[0] = v.mark; }

// CHECK-LABEL: kernel `mixes`
// CHECK-NEXT: left alone: operator on 'f16' and 'f16x2' ({{.*}}:[[@LINE+1]])
__global__ void mixes(__half* h, __half2* g) { h[0] = h[1] + g[0]; }

// CHECK-LABEL: kernel `rawBits`
// CHECK-NEXT: left alone: conversion from 'struct __half_raw' to 'f16' ({{.*}}:[[@LINE+1]])
__global__ void rawBits(__half* h, __half_raw raw) { h[0] = __half(raw); }

// CHECK-LABEL: kernel `asks`
// CHECK-NEXT: left alone: call of 'oracle', which hone does not know ({{.*}}:[[@LINE+1]])
__global__ void asks(int* x) { x[0] = oracle(x[1]); }
