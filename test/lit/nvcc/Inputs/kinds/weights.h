#pragma once
__device__ float weighted(float value);
void weighAll(float* data, int n);
void turn(const float* in, float* out, int width, int height);
