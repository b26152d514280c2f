// A random kernel with all that its seed decides besides: target, permissions, data that overlap.
#pragma once

#include "FuzzRecipe.h"
#include "FuzzRun.h"

namespace hone::test {

struct FuzzSetup {
  const target::Target* target = nullptr;
  FuzzOptions run;
  bool assumeNoalias = false;
  std::array<unsigned, 3> block{1, 1, 1};  // as the passes are told, now and then wrong
  bool isOpenCl = false;                   // where the kernel can be said in OpenCL C
  bool readsBack = false;                  // what is printed is run too
};

struct FuzzSubject {
  unsigned seed = 0;
  NaiveKernel naive;
  ir::KernelPtr kernel;  // null: not imported
  std::string problem;   // why not
  FuzzSetup setup;
};

// Many kernels to a source, since most of the time goes into starting to read one.
std::vector<FuzzSubject> makeSubjects(unsigned firstSeed, unsigned count,
                                      const std::vector<target::Target>& targets);
// The kernel of this text, else the problem.
void importInto(FuzzSubject& subject, const std::string& source);

passes::PassContext contextOf(const FuzzSubject& subject, analysis::FactsCache& facts);
std::mt19937_64 recipeEngine(unsigned seed, unsigned attempt);

// What goes wrong with a recipe, "" when nothing does.
struct FuzzVerdict {
  std::string text;
  std::map<std::string, int64_t> sizes;  // where
  bool isWrong() const { return !text.empty(); }
};
// With a subject, its plan is printed and read back too where its setup says so.
FuzzVerdict judge(FuzzRun& run, const DrawnRecipe& recipe, const FuzzSubject* subject = nullptr);
// Imports, applies, runs anew. `problem` says where the kernel itself is of no use.
FuzzVerdict judgeAnew(const FuzzSubject& subject, const std::vector<passes::PassCall>& calls,
                      std::string* problem = nullptr);

// Source, recipe and command to see it again.
std::string describe(const FuzzSubject& subject, const std::vector<passes::PassCall>& calls,
                     const FuzzVerdict& verdict);

// The kernel as a file DIR/NAME.cu, and a line of DIR/pairs.jsonl with its recipe and launches, for judges
// outside.
void writePair(const FuzzSubject& subject, const std::vector<passes::PassCall>& calls,
               const std::string& directory);

// The smallest kernel, recipe and sizes that a simple search finds to go wrong still.
void shrink(FuzzSubject& subject, std::vector<passes::PassCall>& calls, FuzzVerdict& verdict);

#ifdef HONE_SEEDED_MISTAKES
// Switches each mistake on and looks for it in up to `most` kernels; 0: all were found, or as many as
// `leastFound` where that is not 0.
int findMistakes(unsigned firstSeed, unsigned most, size_t leastFound, const std::string& only,
                 const std::vector<target::Target>& targets);
#endif

}  // namespace hone::test
