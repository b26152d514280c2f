// The folder that `--layer` of hone's commands wrote (cli/rewrite/LayerFolder.h), as a program that is to run
// with it sees it.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <string>
#include <vector>

namespace hone::capture {

// As replace.c of an entry has it (emit/EnqueueReplacements.cpp).
struct HoneReplacement {
  const char* kernel;
  cl_uint parameters;
  const size_t* bytes;  // of each argument; 0: any, of memory of a work-group or behind an address
  cl_int (*enqueue)(cl_command_queue queue, cl_program program, cl_uint dims, const size_t* offset,
                    const size_t* global, const size_t* local, cl_uint waits, const cl_event* waitList,
                    cl_event* event, const void* const* values, const size_t* bytes);
};

struct ReplaceEntry {
  std::string folder;
  std::string original, rewritten;   // texts of the program
  std::vector<std::string> options;  // of the preprocessor, sorted

  // The kernels that it has functions for; null: there are none, and why was said. Compiles them when first
  // asked.
  const HoneReplacement* functions();
  const HoneReplacement* of(const std::string& kernel);

 private:
  bool isTried = false;
  const HoneReplacement* table = nullptr;
};

// Those of a folder that are whole.
std::vector<ReplaceEntry> readEntries(const std::string& folder);

// Of build options those of the preprocessor, each as one word, sorted.
std::vector<std::string> macroOptions(const std::string& options);

// A line to the file that HONE_LOG names (empty or -: nowhere); without it to stderr, if it is a problem.
void tellReplacement(const std::string& line, bool isProblem);

}  // namespace hone::capture
