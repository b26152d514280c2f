// Variables and sections in data clauses: where their memory begins, how much it is, and how it is reached.
#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "frontend/AccReader.h"
#include "frontend/AccText.h"
#include "frontend/ConstantValues.h"
#include "llvm/ADT/FoldingSet.h"

namespace hone::frontend {

using namespace clang;

namespace {

/// One pair of brackets of a section.
struct SectionDim {
  const Expr* lower = nullptr;   ///< null: 0
  const Expr* length = nullptr;  ///< null: to the end, or one element
  bool isSingle = false;         ///< an index, no section
  QualType of;                   ///< array or pointer that the brackets stand behind
};

struct SectionChain {
  const Expr* base = nullptr;
  std::vector<SectionDim> dims;
};

bool holdsSection(const Expr* e) {
  e = plain(e);
  if (isa<ArraySectionExpr>(e)) return true;
  const auto* index = dyn_cast<ArraySubscriptExpr>(e);
  return index && holdsSection(index->getBase());
}

SectionChain chainOf(const Expr& e) {
  SectionChain chain;
  const Expr* at = plain(&e);
  while (holdsSection(at)) {
    if (const auto* section = dyn_cast<ArraySectionExpr>(at)) {
      const bool isSingle = section->getColonLocFirst().isInvalid();
      chain.dims.insert(chain.dims.begin(),
                        {section->getLowerBound(), isSingle ? nullptr : section->getLength(), isSingle, {}});
      at = plain(section->getBase());
    } else {
      const auto* index = cast<ArraySubscriptExpr>(at);
      chain.dims.insert(chain.dims.begin(), {index->getIdx(), nullptr, true, {}});
      at = plain(index->getBase());
    }
  }
  chain.base = at;
  QualType type = at->getType().getNonReferenceType();
  for (SectionDim& dim : chain.dims) {
    dim.of = type;
    if (const QualType in = typeIn(type); !in.isNull()) type = in;
  }
  return chain;
}

enum class Fullness { Whole, Part, Unknown };

/// How a place is reached: pointers followed on the way to it, and the last of these.
struct Way {
  const ValueDecl* root = nullptr;
  unsigned pointers = 0;
  bool isLastRoot = false;  ///< the last pointer followed is the variable at the root, or `this`
};

Way wayTo(const Expr* e) {
  e = plain(e);
  const auto through = [](const Expr* pointer) {
    Way way = wayTo(pointer);
    ++way.pointers;
    const Expr* named = plain(pointer);
    way.isLastRoot = isa<DeclRefExpr, CXXThisExpr>(named);
    return way;
  };
  if (const auto* member = dyn_cast<MemberExpr>(e))
    return member->isArrow() ? through(member->getBase()) : wayTo(member->getBase());
  const Expr* base = nullptr;
  if (const auto* index = dyn_cast<ArraySubscriptExpr>(e)) base = plain(index->getBase());
  if (const auto* section = dyn_cast<ArraySectionExpr>(e)) base = plain(section->getBase());
  if (base) {
    QualType type = base->getType().getNonReferenceType();
    if (isa<ArraySectionExpr>(base)) type = ArraySectionExpr::getBaseOriginalType(base);
    return type->isPointerType() ? through(base) : wayTo(base);
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(e); unary && unary->getOpcode() == UO_Deref)
    return through(unary->getSubExpr());
  if (const auto* cast = dyn_cast<CastExpr>(e)) return wayTo(cast->getSubExpr());
  Way way;
  if (const auto* name = dyn_cast<DeclRefExpr>(e)) way.root = name->getDecl();
  return way;
}

bool isSameValue(const Expr& a, const Expr& b, const ASTContext& ast) {
  llvm::FoldingSetNodeID one, other;
  plain(&a)->Profile(one, ast, true);
  plain(&b)->Profile(other, ast, true);
  return one == other;
}

/// Array parameters are pointers; what they were written as.
QualType writtenArrayType(const Expr* e, const ASTContext& ast) {
  const auto* name = dyn_cast<DeclRefExpr>(e);
  const auto* parameter = name ? dyn_cast<ParmVarDecl>(name->getDecl()) : nullptr;
  if (!parameter) return {};
  const QualType written = parameter->getOriginalType();
  return ast.getAsConstantArrayType(written) || ast.getAsVariableArrayType(written) ? written : QualType();
}

/// What a template has in the brackets of an array parameter, where instantiations have different sizes.
const Expr* dependentSize(const ParmVarDecl& parameter, const ASTContext& ast) {
  const auto* function = dyn_cast<FunctionDecl>(parameter.getDeclContext());
  const FunctionDecl* pattern = function ? function->getTemplateInstantiationPattern() : nullptr;
  if (!pattern) return nullptr;
  for (const ParmVarDecl* one : pattern->parameters())
    if (one->getLocation() == parameter.getLocation())
      if (const auto* array = ast.getAsDependentSizedArrayType(one->getOriginalType()))
        return array->getSizeExpr();
  return nullptr;
}

constexpr std::string_view addressOfClass = "__builtin_addressof(";

std::string insideAddressOf(const std::string& address) {
  if (!address.starts_with(addressOfClass)) return "";
  return address.substr(addressOfClass.size(), address.size() - addressOfClass.size() - 1);
}

bool copiesObjects(AccDataKind kind) {
  switch (kind) {
    case AccDataKind::Copy:
    case AccDataKind::CopyIn:
    case AccDataKind::CopyOut:
    case AccDataKind::Create:
    case AccDataKind::UpdateSelf:
    case AccDataKind::UpdateDevice:
    case AccDataKind::DeviceResident:
    case AccDataKind::Link: return true;
    default: return false;
  }
}

}  // namespace

/// Makes the texts of one operand.
class AccSectionText {
 public:
  AccSectionText(AccReader& with, UnitImporter& of, const Expr& e) : reader(with), unit(of), whole(e) {}

  struct Part {
    std::string address, bytes, elementBytes;
    Fullness fullness = Fullness::Whole;
  };

  /// The memory of dimensions that follow each other without a pointer between them. `base` is the text in
  /// front of the first, `typed` one of the same type to take sizes of.
  Part part(llvm::ArrayRef<SectionDim> dims, const std::string& base, const std::string& typed) {
    Part out;
    std::vector<std::string> elements;  // of the type that each pair of brackets leads to
    std::string element = typed;
    for (size_t i = 0; i < dims.size(); ++i) elements.push_back(element += "[0]");
    size_t first = 0;
    while (first + 1 < dims.size() && isOne(dims[first])) ++first;
    for (size_t i = first + 1; i < dims.size(); ++i) {
      const Fullness here = fullness(dims[i]);
      if (here == Fullness::Part || (here == Fullness::Unknown && out.fullness == Fullness::Whole))
        out.fullness = here;
    }
    const size_t last = out.fullness == Fullness::Whole ? first : dims.size() - 1;
    out.elementBytes = "sizeof(" + elementText(typeIn(dims.back().of), elements.back()) + ")";
    out.address = base;
    for (size_t i = 0; i < last; ++i) out.address += "[" + lower(dims[i]) + "]";
    if (!isZero(dims[last].lower)) out.address += " + " + lower(dims[last]);
    if (out.fullness == Fullness::Whole) {
      out.bytes = count(dims[first], first ? elements[first - 1] : typed, elements[first]);
      return out;
    }
    // The smallest piece of memory that holds all of it.
    std::string any, sum;
    for (size_t i = first; i < dims.size(); ++i) {
      const std::string n = number(dims[i], i ? elements[i - 1] : typed, elements[i]);
      any += (any.empty() ? "" : " && ") + n + " > 0";
      sum += fmtTerm(n, elements[i], sum);
    }
    out.bytes = "(" + any + " ? " + sum + " + sizeof(" + elements.back() + ") : 0)";
    return out;
  }

  bool isOne(const SectionDim& dim) const {
    if (dim.isSingle) return true;
    const std::optional<int64_t> n = constant(dim.length);
    return n && *n == 1;
  }

  bool isZero(const Expr* e) const {
    const std::optional<int64_t> n = constant(e);
    return !e || (n && *n == 0);
  }

  std::optional<int64_t> constant(const Expr* e) const {
    if (!e || e->isValueDependent() || e->isTypeDependent()) return std::nullopt;
    return constantInt(*e, unit.ast);
  }

  Fullness fullness(const SectionDim& dim) const {
    if (dim.isSingle) return Fullness::Part;
    if (!isZero(dim.lower)) return constant(dim.lower) ? Fullness::Part : Fullness::Unknown;
    if (!dim.length) return Fullness::Whole;
    const std::optional<int64_t> n = constant(dim.length);
    if (const ConstantArrayType* array = unit.ast.getAsConstantArrayType(dim.of)) {
      if (!n) return Fullness::Unknown;
      return uint64_t(*n) == array->getSize().getZExtValue() ? Fullness::Whole : Fullness::Part;
    }
    const VariableArrayType* array = unit.ast.getAsVariableArrayType(dim.of);
    if (array && array->getSizeExpr() && isSameValue(*array->getSizeExpr(), *dim.length, unit.ast))
      return Fullness::Whole;
    return Fullness::Unknown;
  }

 private:
  std::string lower(const SectionDim& dim) { return dim.lower ? reader.hostText(*dim.lower) : "0"; }

  static std::string fmtTerm(const std::string& n, const std::string& element, const std::string& before) {
    return (before.empty() ? "" : " + ") + std::string("(") + n + " - 1) * sizeof(" + element + ")";
  }

  void once(const Expr* e) {
    if (e && reader.hasSideEffects(*e))
      throw Refusal{"the bounds of '" + reader.writtenText(whole) +
                        "' would be evaluated twice; put what they call into a variable",
                    unit.loc(e->getBeginLoc())};
  }

  /// Bytes of one dimension whose elements are wanted whole.
  std::string count(const SectionDim& dim, const std::string& array, const std::string& element) {
    if (dim.isSingle) return "sizeof(" + element + ")";
    if (dim.length) return "(unsigned long)" + reader.hostText(*dim.length) + " * sizeof(" + element + ")";
    if (isZero(dim.lower)) return "sizeof(" + array + ")";
    once(dim.lower);
    return "sizeof(" + array + ") - " + lower(dim) + " * sizeof(" + element + ")";
  }

  /// Elements of one dimension.
  std::string number(const SectionDim& dim, const std::string& array, const std::string& element) {
    if (dim.isSingle) return "1";
    if (dim.length) {
      once(dim.length);
      return reader.hostText(*dim.length);
    }
    once(dim.lower);
    const std::string all = "(long)(sizeof(" + array + ") / sizeof(" + element + "))";
    return isZero(dim.lower) ? all : "(" + all + " - " + lower(dim) + ")";
  }

  AccReader& reader;
  UnitImporter& unit;
  const Expr& whole;
};

// Of classes the address is asked for in a way that holds for numbers too.
bool takeCommonText(std::vector<AccData>& all, const std::vector<AccData>& other) {
  if (all.size() != other.size()) return false;
  const auto textOf = [](const AccData& one, const std::string& address) {
    return std::tie(one.kind, address, one.bytes, one.attachTo, one.rowAddress, one.rowBytes, one.laterThan,
                    one.whole.address, one.whole.bytes);
  };
  for (size_t k = 0; k < all.size(); ++k) {
    std::string &mine = all[k].address, theirs = other[k].address;
    if (mine == "&" + insideAddressOf(theirs)) mine = theirs;
    if (theirs == "&" + insideAddressOf(mine)) theirs = mine;
    if (textOf(all[k], mine) != textOf(other[k], theirs)) return false;
    if (all[k].elementBytes != other[k].elementBytes) all[k].elementBytes.clear();
  }
  return true;
}

const ValueDecl* AccReader::rootOf(const Expr& e) const { return wayTo(&e).root; }

AccOperand AccReader::operand(AccDataKind kind, const Expr& e) {
  AccOperand made;
  AccData& data = made.data;
  data.kind = kind;
  data.loc = unit.loc(e.getBeginLoc());
  made.written = &e;
  const Way way = wayTo(&e);
  made.root = way.root;
  made.pointers = way.pointers;
  data.variable = way.root ? way.root->getNameAsString() : "this";
  data.name = writtenText(e);
  made.reach = way.pointers == 0                     ? AccReach::Object
               : way.pointers == 1 && way.isLastRoot ? AccReach::Pointer
                                                     : AccReach::Deeper;
  memberOf(made, e);
  const SectionChain chain = chainOf(e);
  made.isWhole = chain.dims.empty() && !isa<ArraySubscriptExpr>(chain.base);
  // Clang takes sections here as an extension; they name the whole all the same.
  const bool isNameOnly =
      kind == AccDataKind::UseDevice || kind == AccDataKind::DeviceResident || kind == AccDataKind::Link;
  if (kind == AccDataKind::UseDevice && !chain.dims.empty())
    error(e.getBeginLoc(),
          "'use_device' takes names of variables and arrays, '" + data.name + "' is a section");
  if (chain.dims.empty() || isNameOnly) {
    wholeOperand(made, *chain.base);
    return made;
  }
  std::vector<std::vector<SectionDim>> levels;
  for (const SectionDim& dim : chain.dims) {
    if (levels.empty() || dim.of->isPointerType()) levels.emplace_back();
    levels.back().push_back(dim);
  }
  if (levels.size() > 2)
    throw Refusal{
        "'" + data.name + "' goes over more than two levels of pointers; bring each level by itself",
        data.loc};
  const std::string base = hostText(*chain.base);
  AccSectionText text(*this, unit, e);
  const AccSectionText::Part outer = text.part(levels[0], base, base);
  data.address = outer.address;
  data.bytes = outer.bytes;
  data.elementBytes = outer.elementBytes;
  const auto isLater = [&](const SectionDim& dim) { return !text.isZero(dim.lower); };
  if (isa<DeclRefExpr>(chain.base) && std::any_of(levels[0].begin(), levels[0].end(), isLater))
    data.laterThan = base;
  Fullness worst = outer.fullness;
  if (levels.size() > 1) {
    std::string element = base;
    for (size_t i = 0; i < levels[0].size(); ++i) element += "[0]";
    const AccSectionText::Part rows = text.part(levels[1], "hone_row", element);
    data.rowAddress = rows.address;
    data.rowBytes = rows.bytes;
    data.elementBytes = rows.elementBytes;
    if (worst == Fullness::Whole || rows.fullness == Fullness::Part) worst = rows.fullness;
    made.pointers = way.pointers - 1;
    made.reach = made.pointers == 0 ? AccReach::Object
                 : made.pointers == 1 && wayTo(chain.base).pointers == 0 && isa<DeclRefExpr>(chain.base)
                     ? AccReach::Pointer
                     : AccReach::Deeper;
  }
  const bool isUpdate = kind == AccDataKind::UpdateSelf || kind == AccDataKind::UpdateDevice;
  if (worst == Fullness::Part && !isUpdate)
    error(e.getBeginLoc(), "the section '" + data.name +
                               "' is not contiguous; every dimension behind its first has to be whole");
  made.hasGaps = worst != Fullness::Whole;
  if (chain.base->getType().getNonReferenceType()->isPointerType()) attachment(made, *chain.base);
  return made;
}

void AccReader::attachment(AccOperand& made, const Expr& pointer) {
  const auto* name = dyn_cast<DeclRefExpr>(&pointer);
  const auto* var = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  // A pointer variable has a place on the device only where the program asks for it.
  if (isa<CXXThisExpr>(&pointer) || (name && !var)) return;
  if (var && !namesPointer(*var)) return;
  made.data.attachTo = "&" + hostText(pointer);
}

void AccReader::wholeOperand(AccOperand& made, const Expr& e) {
  AccData& data = made.data;
  const QualType type = e.getType().getNonReferenceType();
  const bool isPointer = type->isPointerType();
  const auto* name = dyn_cast<DeclRefExpr>(&e);
  const auto* var = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  const auto* member = dyn_cast<MemberExpr>(&e);
  if (member && isa<FieldDecl>(member->getMemberDecl()) &&
      cast<FieldDecl>(member->getMemberDecl())->isBitField())
    throw Refusal{"'" + data.name + "' is a bit-field, which has no address; name the whole object",
                  data.loc};
  if (var && !unit.ast.getLangOpts().CPlusPlus && var->getStorageClass() == SC_Register)
    throw Refusal{"'" + data.name + "' is declared register, so it has no address; leave register out",
                  data.loc};
  const std::string text = hostText(e);
  switch (data.kind) {
    case AccDataKind::DevicePtr:
      data.address = text;
      data.bytes = "0";
      if (made.reach == AccReach::Object) made.reach = AccReach::Pointer;
      return;
    case AccDataKind::Attach:
    case AccDataKind::Detach:
      data.address = data.attachTo = "&" + text;
      data.bytes = "0";
      return;
    case AccDataKind::UseDevice:
      if (!isPointer && !type->isArrayType())
        throw Refusal{"use_device of '" + data.name + "', which is neither a pointer nor an array", data.loc};
      data.address = isPointer ? text : "&" + text + "[0]";
      data.bytes = "0";
      if (isPointer && made.reach == AccReach::Object) made.reach = AccReach::Pointer;
      return;
    default: break;
  }
  // `this` is no variable: the object is meant, as by this[0:1].
  if (isa<CXXThisExpr>(e)) {
    data.address = text;
    data.bytes = data.elementBytes = "sizeof(*" + text + ")";
    made.reach = AccReach::Pointer;
    made.pointers = 1;
    return;
  }
  if (const QualType written = writtenArrayType(&e, unit.ast); !written.isNull()) {
    const auto* variable = unit.ast.getAsVariableArrayType(written);
    const Expr* size = variable ? variable->getSizeExpr() : dependentSize(cast<ParmVarDecl>(*var), unit.ast);
    if (!variable || size) {
      data.address = text;
      const std::string extent =
          size ? "(unsigned long)" + hostText(*size)
               : std::to_string(unit.ast.getAsConstantArrayType(written)->getSize().getZExtValue());
      data.bytes = extent + " * sizeof(" + text + "[0])";
      data.elementBytes = "sizeof(" + elementText(written, text) + ")";
      made.reach = AccReach::Pointer;
      made.pointers = 1;
      return;
    }
  }
  // What a pointer leads to is meant, unless the program brings the pointer itself.
  if (isPointer && !copiesObjects(data.kind) && !(var ? namesPointer(*var) : false)) {
    data.address = text;
    data.bytes = "0";
    made.reach = made.reach == AccReach::Object && name ? AccReach::Pointer : AccReach::Deeper;
    ++made.pointers;
    attachment(made, e);
    return;
  }
  // A class may have an operator of this name.
  data.address = type->isRecordType() && unit.ast.getLangOpts().CPlusPlus
                     ? std::string(addressOfClass) + text + ")"
                     : "&" + text;
  data.bytes = "sizeof(" + text + ")";
  data.elementBytes = "sizeof(" + elementText(type, text) + ")";
  if (const auto* index = dyn_cast<ArraySubscriptExpr>(&e)) {
    const Expr* base = plain(index->getBase());
    if (base->getType()->isPointerType()) attachment(made, *base);
  }
}

}  // namespace hone::frontend
