#pragma once
void turn(const float* in, float* out, int width, int height);
void addRows(const float* in, float* sums, int width, int height);
