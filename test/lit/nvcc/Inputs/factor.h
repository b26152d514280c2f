constexpr float kFactor = 3;
