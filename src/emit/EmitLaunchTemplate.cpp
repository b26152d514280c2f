#include "emit/EmitLaunchTemplate.h"

#include "emit/Names.h"
#include "emit/PlanKernels.h"

namespace hone::emit {

std::string emitLaunchTemplate(const LaunchTemplateSite& site, const EmitOptions& options) {
  Names names(ir::Language::Cuda);
  names.reserve(site.head + " " + site.kernel + " " + site.launch);
  for (const std::string& macro : options.macros) names.reserve(macro);
  std::string parameters, arguments;
  for (const std::string& parameter : site.parameters) {
    names.reserve(parameter);
    parameters += ", " + parameter;
  }
  for (const std::string& name : site.names) arguments += (arguments.empty() ? "" : ", ") + name;
  const std::string grid = names.fresh("grid"), block = names.fresh("block"), shared = names.fresh("shared"),
                    stream = names.fresh("stream");
  std::string text =
      commentLines("Launches " + site.kernel + " itself, but for the instantiations that follow.") +
      site.head + "\nstatic inline void " + site.launch + "(dim3 " + grid + ", dim3 " + block + ", size_t " +
      shared + ", cudaStream_t " + stream + parameters + ") {\n" + site.kernel +
      (site.arguments.empty() ? "" : "<" + site.arguments + ">") + "<<<" + grid + ", " + block + ", " +
      shared + ", " + stream + ">>>(" + arguments + ");\n}\n";
  if (site.deviceOnly) text = "#ifndef __CUDACC_RTC__\n" + text + "#endif\n";
  text = formatCode(text, options);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace hone::emit
