#include "emit/Emit.h"
#include "emit/EmitEnqueue.h"

namespace hone::emit {

namespace {

constexpr const char* table = R"(
// The layer has the same (HoneReplacement in capture/OpenclReplace.cpp).
typedef struct hone_replacement {
  const char* kernel;
  cl_uint parameters;
  const size_t* bytes;  // of each argument; 0: any, of memory of a work-group or behind an address
  cl_int (*enqueue)(cl_command_queue queue, cl_program program, cl_uint dims, const size_t* offset,
                    const size_t* global, const size_t* local, cl_uint waits, const cl_event* wait_list,
                    cl_event* event, const void* const* values, const size_t* bytes);
} hone_replacement;
)";

// What the function gets for argument `i` of type `type`.
std::string argumentText(const std::string& type, size_t i) {
  const std::string at = "[" + std::to_string(i) + "]";
  if (type == "size_t") return "bytes" + at;
  if (type == "const void*") return "values" + at;
  return "*(const " + type + "*)values" + at;
}

std::string sizeText(const std::string& type) {
  return type == "size_t" || type == "const void*" ? "0" : "sizeof(" + type + ")";
}

}  // namespace

std::string replacementSource(const std::vector<EnqueueText>& functions, const std::string& header) {
  std::string text = commentLines("Written by hone for its OpenCL layer, which compiles it.") +
                     "#include \"" + header + "\"\n" + table;
  std::string rows;
  for (const EnqueueText& f : functions) {
    if (!f.problem.empty() || f.types.empty()) continue;
    std::string arguments, sizes;
    for (size_t i = 0; i < f.types.size(); ++i) {
      arguments += ", " + argumentText(f.types[i], i);
      sizes += (i ? ", " : "") + sizeText(f.types[i]);
    }
    const std::string name = f.name.substr(0, f.name.size() - std::string("_enqueue").size());
    text += "\nstatic cl_int " + name +
            "_replace(cl_command_queue queue, cl_program program, cl_uint dims, const size_t* offset, const "
            "size_t* global, const size_t* local, cl_uint waits, const cl_event* wait_list, cl_event* event, "
            "const void* const* values, const size_t* bytes) {\n(void)values; (void)bytes;\nreturn " +
            f.name + "(queue, program, dims, offset, global, local, waits, wait_list, event" + arguments +
            ");\n}\n\nstatic const size_t " + name + "_bytes[] = {" + sizes + "};\n";
    rows += "{\"" + f.kernel + "\", " + std::to_string(f.types.size()) + ", " + name + "_bytes, " + name +
            "_replace},\n";
  }
  text += "\n__attribute__((visibility(\"default\"))) const hone_replacement hone_replacements_1[] = {\n" +
          rows + "{NULL, 0, NULL, NULL},\n};\n";
  text = formatCode(text, {});
  return text.ends_with("\n") ? text : text + "\n";
}

}  // namespace hone::emit
