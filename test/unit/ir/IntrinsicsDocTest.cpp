// docs/intrinsics.md ends in the list of the table; HONE_UPDATE_GOLDEN=1 renews it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {
namespace {

constexpr std::pair<IntrinsicClass, const char*> classes[] = {
    {IntrinsicClass::Math, "Math"},         {IntrinsicClass::Bits, "Bits"},
    {IntrinsicClass::Convert, "Convert"},   {IntrinsicClass::Load, "Load"},
    {IntrinsicClass::Store, "Store"},       {IntrinsicClass::Atomic, "Atomic"},
    {IntrinsicClass::Exchange, "Exchange"}, {IntrinsicClass::BarrierVote, "BarrierVote"},
    {IntrinsicClass::Query, "Query"},       {IntrinsicClass::Group, "Group"},
    {IntrinsicClass::Control, "Control"},
};

std::string namesOf(const std::vector<IntrinsicName>& names) {
  std::string out;
  std::string_view last;
  for (const IntrinsicName& name : names) {
    if (name.name != last) out += " `" + std::string(name.name) + "`" + (name.emitOnly ? "*" : "");
    last = name.name;
  }
  return out;
}

std::string list() {
  std::ostringstream out;
  out << "A name with a star is written for this entry, and read as another one.\n";
  for (const auto& [cls, title] : classes) {
    out << "\n### " << title << "\n\n| entry | CUDA | OpenCL |\n|---|---|---|\n";
    for (const Intrinsic& fn : allIntrinsics())
      if (fn.cls == cls)
        out << "| " << fn.id << " |" << namesOf(fn.cudaNames) << " |" << namesOf(fn.openclNames) << " |\n";
  }
  return out.str();
}

TEST(Intrinsics, DocumentedList) {
  const std::string path = std::string(HONE_TEST_DIR) + "/../docs/intrinsics.md";
  std::ifstream in(path);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::string heading = "## The list\n\n";
  size_t at = text.find(heading);
  ASSERT_NE(at, std::string::npos) << path << " has no list";
  at += heading.size();
  if (std::getenv("HONE_UPDATE_GOLDEN")) {
    std::ofstream(path) << text.substr(0, at) << list();
    return;
  }
  EXPECT_TRUE(text.substr(at) == list())
      << "the list in docs/intrinsics.md is not the table's; renew it with "
         "HONE_UPDATE_GOLDEN=1 test_ir --gtest_filter=Intrinsics.DocumentedList";
}

}  // namespace
}  // namespace hone::ir
