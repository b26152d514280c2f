#include "emit/Emit.h"

#include "emit/Emitter.h"
#include "emit/PlanKernels.h"
#include "emit/TakenValues.h"

namespace hone::emit {

using namespace ir;

EmitResult emitBody(const Kernel& kernel, const EmitOptions& options) {
  return emitBodyAfter("", kernel, options);
}

EmitResult emitBodyAfter(const std::string& opening, const Kernel& kernel, const EmitOptions& options) {
  Emitter emitter(options, kernel.language, false);
  bodyConstants(emitter, kernel);
  emitter.constantLines = opening + emitter.constantLines;
  // The formatter wants a whole function; its head is taken off again.
  const std::string head = "void f() ";
  std::string text = head + emitter.body(kernel);
  EmitResult result;
  result.errors = emitter.errors;
  if (!result.ok()) return result;
  std::string formatted = formatCode(text, options);
  result.text = formatted.substr(formatted.find('{'));
  while (!result.text.empty() && (result.text.back() == '\n' || result.text.back() == '\r'))
    result.text.pop_back();
  return result;
}

std::string emitExpr(const ExprPtr& e, Language language) {
  EmitOptions options;
  options.language = language;
  return Emitter(options, language, false).print(e).text;
}

}  // namespace hone::emit
