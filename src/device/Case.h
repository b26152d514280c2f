// A case is all that one run of a kernel needs besides data: the values of its numbers, grid, block, shared
// memory, and which lengths were given. What nobody says is taken from a launch in sight, else guessed, and
// said so.
#pragma once

#include <memory>

#include "device/CapturedCase.h"
#include "device/HostText.h"
#include "device/KernelFacts.h"
#include "device/Settings.h"
#include "device/ShrinkLaunch.h"
#include "target/Target.h"

namespace hone::device {

enum class Origin : uint8_t { Given, Launch, Guess };

struct CaseNumber {
  Number value;
  Origin origin = Origin::Guess;
  // Of a launch: the source has this value, but launches may have others (HostText::isSettled).
  bool mayDiffer = false;
  bool isByGuess = false;  // of a launch, which computes it from a number that is guessed
  bool isDefault = false;  // of a launch, where the program is called without arguments
  bool isKnown() const { return origin != Origin::Guess && !mayDiffer && !isByGuess; }
};

struct Case {
  ir::KernelPtr kernel;
  std::shared_ptr<const KernelFacts> facts;
  std::vector<ParameterLeaf> leaves;
  std::map<std::string, CaseNumber> numbers;  // by path
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  Origin gridOrigin = Origin::Guess, blockOrigin = Origin::Guess;
  unsigned madeUpAxes = 0;  // of a guessed grid: nothing tells how many blocks there are along them
  bool isGridRead =
      false;  // off the host's text; as a guess where that may have others (HostText::isSettled)
  bool isGridDefault = false;               // read so, where the program is called without arguments
  std::array<uint32_t, 3> fullGrid{};       // of the launch, where a smaller one is run; zeros: none
  std::optional<uint64_t> shared;           // bytes of dynamic shared memory; none: to be found out
  std::map<std::string, uint64_t> lengths;  // elements, where given
  std::map<std::string, std::pair<std::string, int64_t>> aliases;  // array: other array and element of it
  std::map<std::string, std::string> inputs;                       // array: file
  std::map<std::string, CapturedArray> contents;                   // what arrays of a captured launch held
  std::map<std::string, CapturedArray> samples;           // the same of a larger launch: values like it had
  std::map<std::string, std::vector<uint8_t>> variables;  // by name in object files: contents
  std::set<std::string> outputs, unordered, temporaries;  // arrays
  uint64_t seed = 1;
  bool cooperative = false;
  bool isCaptured = false;             // a launch of a capture, as it was
  bool isSmallerThanCaptured = false;  // or with less to do
  // Arrays that begin one element behind an aligned address, as part of a larger one may.
  std::set<std::string> skewed;
  bool hasPositiveData = false;  // made-up contents are above zero (LaunchGuess::positiveData)
  std::map<std::string, int64_t> sizes() const;         // the numbers that are sizes, for reports
  std::map<std::string, int64_t> guessedSizes() const;  // those of them that launches may have otherwise
  bool hasGuess() const;
  // Whether a size, or the blocks along an axis by their name, is what the text of a launch says.
  bool isRead(const std::string& size) const;
  // Whether what arrays hold that decide about loops, branches and subscripts is known: given or captured.
  bool knowsWhatSteers() const;
  // The same of those that decide which memory is touched, or how often.
  bool knowsWhatIsTouched() const;
  bool hasGuessedSize() const;
  bool knowsContentsOf(const std::string& array) const;
  std::string guessText() const;  // "n=1000, grid 4, block 256"
  // What makes its threads run for less long: "; give smaller sizes with --set (n, m)".
  std::string howToShorten() const;
};

// Numbers of `after` that differ from those of `before`, a case of the same kernel.
std::map<std::string, int64_t> changedNumbers(const Case& before, const Case& after);

std::string extentsText(const std::array<uint32_t, 3>& extents);  // "4x4"

// How many blocks there are along an axis goes by this name among sizes where nothing tells it:
// "gridDim.x".
std::string blocksName(unsigned axis);
std::optional<unsigned> axisOfBlocks(const std::string& name);

// Options for what a case leaves open.
struct CaseWish {
  // Values for sizes, over everything else; for axes of the grid that are made up by their blocksName.
  std::map<std::string, int64_t> sizes = {};
  bool multiples = false;      // guessed sizes are multiples of the block
  int small = 0;               // which numbers that look like steps are made small, see CaseMaker::variants
  bool ignoresLaunch = false;  // sizes of the launch are not taken: they would take too long
  bool wholeGrid = false;      // a guessed grid covers the sizes, however many blocks that takes
  bool anySize = false;        // a launch is taken as it is, however large
  bool fractions = false;      // guessed numbers that are not whole lie between 0 and 1
  HostText::Turn turn = HostText::Turn::First;  // of the host's loops around the launch
  size_t captured = 0;                          // which of the launches of a capture is taken
};

// In place of the usual guesses, where these lead to findings that say nothing about the kernel.
struct LaunchGuess {
  std::optional<std::array<uint32_t, 3>> block = std::nullopt;
  int64_t unit = 1;         // guessed sizes are multiples of it
  int64_t mostOfLoops = 0;  // guessed sizes that no grid covers are no larger; 0: as usual
  bool fewBlocks = false;   // at most two blocks along axes that no test of the kernel bounds
  bool partOfGrid = false;  // of a captured launch, with all its numbers and lengths
  bool readLaunch = false;  // that the host's text tells, made smaller so that its numbers fit each other
  // At other sizes than captured, arrays that decide what is done have values like those that were recorded.
  bool recordedValues = false;
  bool positiveData = false;  // what is made up of arrays is above zero, as lengths, masses and counts are
  int64_t mostOfSize = 256;   // where a captured or read launch is made so small that it takes no time
  bool operator==(const LaunchGuess&) const = default;
};

struct SeenLaunch {
  const ir::Launch* launch = nullptr;
  std::shared_ptr<const HostText> host;
};

// Makes cases of one kernel. Throws hone::Error for settings that do not fit the kernel.
class CaseMaker {
 public:
  // `launch` and `host` may be null: nothing in sight launches the kernel.
  CaseMaker(ir::KernelPtr kernel, Settings settings, const ir::Launch* launch,
            std::shared_ptr<const HostText> host);

  bool decidesByData() const;  // whether what arrays hold decides about loops, branches and subscripts

  // What the program launched it with, in place of what its text tells.
  void setCaptured(std::shared_ptr<const CapturedKernel> launches) { captures = std::move(launches); }
  // The kernel's part of the program's time, from 0 to 1; none where there is no capture, or one of another
  // version.
  std::optional<double> capturedShare() const;
  // How long that launch took on this machine, in seconds; none: it is not known.
  std::optional<double> capturedSeconds(const CaseWish& wish, const target::Target& machine) const;
  const CapturedKernel* captured() const {
    return captures && !captures->cases.empty() ? captures.get() : nullptr;
  }

  // Other launches of the kernel: what these do not have too is one value among others.
  void setOtherLaunches(std::vector<SeenLaunch> launches) { others = std::move(launches); }

  Case make(const CaseWish& wish = {}) const;
  // Whole-number parameters that set how large the problem is.
  std::vector<std::string> sizeNames() const;
  // Those of them that a launch or a guess may decide, the user's own left out.
  std::vector<std::string> freeSizes() const;
  // Whether it only tells where something lies, by its name and use: how much there is to do does not hang on
  // it.
  bool isStep(const std::string& path) const;
  bool guardsAllAxes() const;         // every axis that the grid covers has a bound in the kernel
  int variants() const { return 4; }  // values of CaseWish::small worth a try

  // Sizes of captured launches, made small in ways in which they still fit each other.
  std::vector<std::map<std::string, int64_t>> capturedSizes() const;

  const KernelFacts& facts() const { return *known; }
  const Settings& settings() const { return given; }

  // For what is guessed: other values that kernels like it are launched with, by the constants in its text
  // first; and the maker that guesses so.
  std::vector<LaunchGuess> otherGuesses() const;
  CaseMaker withGuess(const LaunchGuess& other) const;
  int64_t fitted(const std::string& path, int64_t size) const;  // a size nobody gave, a multiple as guessed

  // Throws hone::Error when the settings name what the kernel does not have; `others` are names other kernels
  // have.
  void checkNames(const std::set<std::string>& others = {}) const;
  std::set<std::string> allNames() const;

 private:
  // `useLaunch`: sizes are those of the launch, or of `seen`, a captured one or what is made of it.
  void setNumbers(Case& c, const CaseWish& wish, HostText* host, bool useLaunch,
                  const CapturedCase* seen) const;
  void setBlock(Case& c, const HostText* host, const CaseWish& wish) const;
  void setTurn(Case& c, const CaseWish& wish, HostText& host) const;  // numbers that the launch has then
  void setGrid(Case& c, const HostText* host, const CaseWish& wish, bool useLaunch,
               const CapturedCase* seen) const;
  bool readGrid(Case& c, HostText host, const CaseWish& wish) const;  // false: the text does not tell
  std::string argumentOf(const ParameterLeaf& leaf) const;            // of the launch; empty: not known
  const CapturedCase* capturedCase(const CaseWish& wish) const;       // null: there is none
  // What the host's text tells of the launch, as if it had been captured; none: not of all of it.
  std::optional<CapturedCase> readLaunch(const CaseWish& wish) const;
  CapturedCase smallerCapture(const CapturedCase& seen, const SmallLaunch& most) const;
  // The captured grid, as it would be with the sizes of the case.
  void setCapturedGrid(Case& c, const CapturedCase& seen, const CaseWish& wish, bool isSame) const;
  // Whether no launch in sight has another number for a parameter, or other blocks.
  bool isSettled(const HostText& host, const ParameterLeaf& leaf, const Number& value) const;
  bool isBlockSettled(const HostText& host, const std::array<Number, 3>& block) const;
  void guessBlock(Case& c) const;
  void guessGrid(Case& c, const CaseWish& wish) const;
  void checkLimits(const Case& c, const CaseWish& wish) const;  // throws: what is given cannot be launched
  void setArrays(Case& c, const CaseWish& wish) const;
  void setVariables(Case& c, const CapturedCase& seen) const;  // outside of functions
  int64_t guessSize(const std::string& path, unsigned position, const Case& c, const CaseWish& wish) const;
  std::optional<Number> boundOf(const Guard& guard, const Case& c) const;
  Number eval(const Given& given, const Case& c) const;
  Names namesIn(const Case& c) const;
  bool isSize(const std::string& path) const;
  unsigned unguardedAxes() const;  // those that the grid covers and no test bounds
  std::vector<std::array<uint32_t, 3>> otherBlocks(const Case& usual) const;

  ir::KernelPtr kernel;
  Settings given;
  const ir::Launch* launch;
  std::shared_ptr<const HostText> hostText;
  std::vector<SeenLaunch> others;
  std::shared_ptr<const CapturedKernel> captures;
  std::shared_ptr<const KernelFacts> known;
  std::vector<ParameterLeaf> leaves;
  LaunchGuess guess;
};

}  // namespace hone::device
