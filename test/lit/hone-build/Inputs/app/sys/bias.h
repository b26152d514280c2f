#pragma once
#define BIAS 0.5f
