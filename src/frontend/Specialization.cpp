#include "frontend/Specialization.h"

#include <functional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/ConstantValues.h"
#include "frontend/LaunchTemplates.h"
#include "llvm/Support/raw_ostream.h"

namespace hone::frontend {

using namespace clang;

std::vector<std::string> templateArgumentTexts(const TemplateArgumentList& args, const UnitImporter& unit) {
  std::vector<std::string> texts;
  PrintingPolicy policy(unit.ast.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  std::function<void(llvm::ArrayRef<TemplateArgument>)> add = [&](llvm::ArrayRef<TemplateArgument> list) {
    for (const TemplateArgument& arg : list) {
      if (arg.getKind() == TemplateArgument::Pack) {
        add(arg.getPackAsArray());
      } else if (arg.getKind() == TemplateArgument::Type) {
        texts.push_back(unit.typeName(arg.getAsType()));
      } else {
        std::string text;
        llvm::raw_string_ostream stream(text);
        arg.print(policy, stream, false);
        texts.push_back(std::move(text));
      }
    }
  };
  add(args.asArray());
  return texts;
}

void specializationHead(ImportedKernel& k, const FunctionDecl& fn, UnitImporter& unit) {
  const FunctionTemplateDecl* primary = fn.getPrimaryTemplate();
  const TemplateArgumentList* args = fn.getTemplateSpecializationArgs();
  auto refuse = [&](const std::string& why) { k.specializationRefusal = why; };
  const SourceManager& sm = unit.sources;
  const FunctionDecl* pattern = primary ? primary->getTemplatedDecl()->getDefinition() : nullptr;
  if (!args || !pattern || !pattern->getBody())
    return refuse("internal: unexpected instantiation of no template; please report");
  const SourceLocation end = pattern->getBody()->getEndLoc();
  if (fn.getPointOfInstantiation().isValid() &&
      sm.isBeforeInTranslationUnit(fn.getPointOfInstantiation(), end))
    return refuse("it is used before the template's body");
  std::string list;
  for (const TemplateArgument& arg : args->asArray()) {
    if (arg.getKind() == TemplateArgument::Type) {
      const QualType t = arg.getAsType();
      const TagDecl* tag = t->getAsTagDecl();
      if (tag && tag->getDeclContext()->isFunctionOrMethod())
        return refuse("template argument '" + unit.typeName(t) + "' is local to a function");
      if (tag && unit.isUserCode(tag->getLocation()) && sm.isBeforeInTranslationUnit(end, tag->getLocation()))
        return refuse("template argument '" + unit.typeName(t) + "' is declared after the template");
    } else if (arg.getKind() == TemplateArgument::Pack) {
      return refuse("it has a parameter pack");
    } else if (arg.getKind() != TemplateArgument::Integral) {
      return refuse("a template argument is neither a type nor an integer");
    }
  }
  for (const std::string& text : k.templateArgs) list += (list.empty() ? "" : ", ") + text;
  std::string head = "template <>\n__global__ ";
  if (k.kernel && k.kernel->launchBounds) {
    const ir::LaunchBounds& b = *k.kernel->launchBounds;
    head += "__launch_bounds__(" + std::to_string(b.maxThreads) +
            (b.minBlocks ? ", " + std::to_string(b.minBlocks) : "") + ") ";
  }
  head += "void " + fn.getNameAsString() + "<" + list + ">(";
  bool first = true;
  for (const ParmVarDecl* p : fn.parameters()) {
    head += (first ? "" : ", ") + parameterText(*p, p->getNameAsString(), unit);
    first = false;
  }
  k.specializationHead = head + ")";
}

}  // namespace hone::frontend
