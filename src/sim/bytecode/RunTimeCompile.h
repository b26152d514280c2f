// What a running program asks hone to compile (NVRTC), and hone's answer, as bytes between the two processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hone::sim {

struct CompileRequest {
  std::string name, source;
  struct Header {
    std::string name, text;
  };
  std::vector<Header> headers;
  std::vector<std::string> options;
  std::vector<std::string> nameExpressions;  // "scale<float, 4>", "&ns::factor"
};

enum class CompileStatus : uint8_t { Done, WrongCode, WrongOption };

struct CompileAnswer {
  CompileStatus status = CompileStatus::Done;
  std::string log;
  std::string architecture;            // "sm_90", "compute_90"
  std::vector<uint8_t> bundle;         // as writeBundle makes it
  std::vector<std::string> kernels;    // their names in object files
  std::vector<std::string> nameFound;  // for each name expression the name in object files
};

// Reading throws hone::Error for bytes of another version of hone.
std::vector<uint8_t> write(const CompileRequest& request);
CompileRequest readCompileRequest(const std::vector<uint8_t>& bytes);
std::vector<uint8_t> write(const CompileAnswer& answer);
CompileAnswer readCompileAnswer(const std::vector<uint8_t>& bytes);

}  // namespace hone::sim
