// The compiler that `hone nvcc` stands before.
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

// The first of: the first word, where it is a program and no source (launchers are called so; the word is
// taken off), HONE_NVCC, nvcc in PATH that is not hone, /usr/local/cuda/bin/nvcc. Empty: there is none.
std::string findNvcc(std::vector<std::string>& words);

// Where its headers are: the toolkit that it belongs to; empty: in none.
std::string toolkitOf(const std::string& nvcc);

}  // namespace hone::cli
