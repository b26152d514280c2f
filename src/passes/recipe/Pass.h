// What a pass is to the rest of the program: one descriptor, exported by the pass's own file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/Plan.h"
#include "passes/recipe/Context.h"
#include "passes/recipe/PassResult.h"
#include "passes/recipe/Proposer.h"
#include "passes/recipe/Recipe.h"

namespace hone::passes {

enum class ParameterKind : uint8_t {
  Number,        // depth=16
  NumberOrWord,  // by=4, by=full
  Word,          // how=groups
  Flag,          // all=1
  Loop,          // loop=L1.2
  Arrays,        // a, b
  Accesses,      // a, b#2
  Loops,         // L1, L1.2
  NumbersByName  // n=5, for any name
};

// Values worth a try on a kernel, for search.
using Values = std::function<std::vector<ArgumentValue>(const ir::LaunchStep&, PassContext&)>;

struct PassParameter {
  std::string name;  // those without a name in recipes are shown as <name>
  std::string description;
  ParameterKind kind = ParameterKind::Number;
  int64_t least = 1;                    // of numbers
  std::vector<std::string> words = {};  // that may be given
  Values values = {};                   // empty: not searched

  bool isPositional() const {
    return kind == ParameterKind::Arrays || kind == ParameterKind::Accesses || kind == ParameterKind::Loops;
  }
};

// What others ask of a pass without knowing which it is.
struct PassTraits {
  bool addsTiles = false;            // loads into shared memory what a block reads
  bool isForSizes = false;           // what it makes serves such sizes alone as it was chosen for
  bool widensAccesses = false;       // what was merged for wide accesses is neither staged nor merged further
  bool hasSerialIterations = false;  // threads have much to do one after the other
  bool sharesSums = false;           // several threads put together what one did
  bool isShapeAlone = false;         // the same threads, in blocks of another shape
  bool isCompilersToo = false;       // compilers do it of their own accord, as they see fit
  bool makesTwoForms = false;        // a form of the code for most threads, from which others gain little
  bool keepsAccesses = false;        // each access of memory stays what it was, made by the same thread
};

// One of the two functions is set. `onLaunch` is applied to every launch of the fast branch of the plan (not
// to the original in the other branch of a choice): the pass applies when it applies to at least one of them.
struct Pass {
  std::string name;
  std::string description;  // one sentence on before and after
  std::vector<PassParameter> parameters = {};
  PassTraits traits = {};
  std::vector<Proposer> proposers =
      {};  // those that name no pass of a later folder (propose/JointProposals.h)
  std::function<PassResult(const ir::PlanPtr&, const PassCall&, PassContext&)> onPlan = {};
  std::function<LaunchResult(const ir::LaunchStep&, const PassCall&, PassContext&)> onLaunch = {};
};

// The same on every kernel.
inline Values values(std::vector<ArgumentValue> all) {
  return [all = std::move(all)](const ir::LaunchStep&, PassContext&) { return all; };
}

// Those that a function of the launch and the context lists.
template <class List>
Values valuesFrom(List list) {
  return [list](const ir::LaunchStep& launch, PassContext& context) {
    std::vector<ArgumentValue> out;
    for (const auto& value : list(launch, context)) out.emplace_back(value);
    return out;
  };
}

// A pass whose parameters are the members of `Options`. As a function it makes a call of the pass,
// stagePass()({.depth = 16}); `of` reads one.
template <class Options>
class PassOf : public Pass {
 public:
  using OnLaunch = LaunchResult (*)(const ir::LaunchStep&, const Options&, PassContext&);
  using OnPlan = PassResult (*)(const ir::PlanPtr&, const Options&, PassContext&);

  PassOf(std::string passName, std::string sentence, OnLaunch function)
      : Pass{std::move(passName), std::move(sentence)} {
    onLaunch = [function](const ir::LaunchStep& launch, const PassCall& call, PassContext& context) {
      return function(launch, static_cast<const PassOf&>(*call.pass).of(call), context);
    };
  }
  PassOf(std::string passName, std::string sentence, OnPlan function)
      : Pass{std::move(passName), std::move(sentence)} {
    onPlan = [function](const ir::PlanPtr& plan, const PassCall& call, PassContext& context) {
      return function(plan, static_cast<const PassOf&>(*call.pass).of(call), context);
    };
  }

  PassOf& number(std::optional<int64_t> Options::* member, std::string parameter, std::string sentence,
                 Values tries = {}, int64_t least = 1) {
    return add(
        {std::move(parameter), std::move(sentence), ParameterKind::Number, least, {}, std::move(tries)},
        [member](Options& options, const Argument& argument) {
          options.*member = std::get<int64_t>(argument.value);
        },
        [member](const Options& options, const PassParameter& self, std::vector<Argument>& into) {
          if (options.*member) into.push_back({&self, *(options.*member)});
        });
  }

  // A number, or a word that stands for one.
  PassOf& numberOr(std::optional<int64_t> Options::* member, std::string parameter, std::string word,
                   int64_t standsFor, std::string sentence, Values tries = {}) {
    return add(
        {std::move(parameter), std::move(sentence), ParameterKind::NumberOrWord, 0, {word}, std::move(tries)},
        [member, standsFor](Options& options, const Argument& argument) {
          const auto* given = std::get_if<int64_t>(&argument.value);
          options.*member = given ? *given : standsFor;
        },
        [member, word, standsFor](const Options& options, const PassParameter& self,
                                  std::vector<Argument>& into) {
          if (!(options.*member)) return;
          if (*(options.*member) == standsFor)
            into.push_back({&self, word});
          else
            into.push_back({&self, *(options.*member)});
        });
  }

  // One of the words, which are in the order of the enumeration.
  template <class Enum>
  PassOf& word(std::optional<Enum> Options::* member, std::string parameter, std::vector<std::string> words,
               std::string sentence, Values tries = {}) {
    return add(
        {std::move(parameter), std::move(sentence), ParameterKind::Word, 0, std::move(words),
         std::move(tries)},
        [member](Options& options, const Argument& argument) {
          const std::vector<std::string>& all = argument.parameter->words;
          const std::string& given = std::get<std::string>(argument.value);
          for (size_t i = 0; i < all.size(); ++i)
            if (all[i] == given) options.*member = static_cast<Enum>(i);
        },
        [member](const Options& options, const PassParameter& self, std::vector<Argument>& into) {
          if (options.*member) into.push_back({&self, self.words[static_cast<size_t>(*(options.*member))]});
        });
  }

  PassOf& flag(std::optional<bool> Options::* member, std::string parameter, std::string sentence,
               Values tries = {}) {
    return add(
        {std::move(parameter), std::move(sentence), ParameterKind::Flag, 0, {"0", "1"}, std::move(tries)},
        [member](Options& options, const Argument& argument) {
          options.*member = std::get<int64_t>(argument.value) != 0;
        },
        [member](const Options& options, const PassParameter& self, std::vector<Argument>& into) {
          if (options.*member) into.push_back({&self, int64_t{*(options.*member)}});
        });
  }

  PassOf& loop(std::optional<std::string> Options::* member, std::string parameter, std::string sentence) {
    return add(
        {std::move(parameter), std::move(sentence), ParameterKind::Loop},
        [member](Options& options, const Argument& argument) {
          options.*member = std::get<std::string>(argument.value);
        },
        [member](const Options& options, const PassParameter& self, std::vector<Argument>& into) {
          if (options.*member) into.push_back({&self, *(options.*member)});
        });
  }

  // Words without a name: arrays, accesses or loops.
  PassOf& names(std::vector<std::string> Options::* member, std::string parameter, ParameterKind kind,
                std::string sentence, Values tries = {}) {
    return add(
        {std::move(parameter), std::move(sentence), kind, 0, {}, std::move(tries)},
        [member](Options& options, const Argument& argument) {
          (options.*member).push_back(std::get<std::string>(argument.value));
        },
        [member](const Options& options, const PassParameter& self, std::vector<Argument>& into) {
          for (const std::string& one : options.*member) into.push_back({&self, one});
        });
  }

  PassOf& numbersByName(std::vector<std::pair<std::string, int64_t>> Options::* member, std::string parameter,
                        std::string sentence) {
    return add(
        {std::move(parameter), std::move(sentence), ParameterKind::NumbersByName, 0},
        [member](Options& options, const Argument& argument) {
          (options.*member).emplace_back(argument.name, std::get<int64_t>(argument.value));
        },
        [member](const Options& options, const PassParameter& self, std::vector<Argument>& into) {
          for (const auto& [name, value] : options.*member) into.push_back({&self, value, name});
        });
  }

  PassOf& proposes(Proposer proposer) {
    proposers.push_back(std::move(proposer));
    return *this;
  }

  PassOf& with(const PassTraits& given) {
    traits = given;
    return *this;
  }

  Options of(const PassCall& call) const {
    Options options;
    for (const Argument& argument : call.arguments)
      members[static_cast<size_t>(argument.parameter - parameters.data())].set(options, argument);
    return options;
  }

  // The call with what the options have, in the order of the parameters.
  PassCall operator()(const Options& options = {}) const {
    PassCall call{this};
    for (size_t i = 0; i < members.size(); ++i) members[i].give(options, parameters[i], call.arguments);
    return call;
  }

 private:
  using Set = std::function<void(Options&, const Argument&)>;
  using Give = std::function<void(const Options&, const PassParameter&, std::vector<Argument>&)>;
  struct Member {
    Set set;
    Give give;
  };
  std::vector<Member> members;  // for each of the parameters

  PassOf& add(PassParameter parameter, Set set, Give give) {
    parameters.push_back(std::move(parameter));
    members.push_back({std::move(set), std::move(give)});
    return *this;
  }
};

struct NoOptions {};

// Throws hone::Error for a number that its parameter does not take.
void checkNumbers(const PassCall& call);

// Called with the plan after each pass that applied.
using AfterPass = std::function<void(const PassCall&, const ir::Plan&)>;

// Why no pass may change a kernel: passes look at bodies with calls of functions replaced of which parts have
// no text (ir::Function::isRunOnly), and would write what they look at.
Obstacle obstacleToAllPasses(const ir::Kernel& kernel);

// Applies the passes in order and verifies the plan after each. A pass that refuses ends it: there is no plan
// then, and the refusal says where and by which pass.
PassResult applyRecipe(const ir::PlanPtr& plan, const Recipe& recipe, PassContext& context,
                       const AfterPass& after = {});
// The same for a recipe that is whole: blocks that no launch on the target can have are refused, which passes
// still to come might have made smaller.
PassResult applyWholeRecipe(const ir::PlanPtr& plan, const Recipe& recipe, PassContext& context,
                            const AfterPass& after = {});
// Whether a recipe that made `plan` of `original` needed leave to change the order of sums: without it there
// is no such plan. What did not need it gives the same bits.
bool changesOrder(const ir::PlanPtr& original, const Recipe& recipe, const ir::Plan& plan,
                  const PassContext& context);
// The same for one pass. Both throw hone::Error for a number that a parameter does not take.
PassResult applyPass(const ir::PlanPtr& plan, const PassCall& call, PassContext& context);

}  // namespace hone::passes
