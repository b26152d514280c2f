#pragma once
#define OFFSET 1.0f
