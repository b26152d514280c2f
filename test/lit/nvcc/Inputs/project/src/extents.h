#pragma once
constexpr int kWidth = 640, kHeight = 480;
