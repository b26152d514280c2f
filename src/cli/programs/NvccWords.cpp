#include "cli/programs/NvccWords.h"

#include "frontend/CompilerFlags.h"
#include "ir/Error.h"

namespace hone::cli {

namespace {

using Value = NvccOption::Value;

constexpr NvccOption options[] = {
    // Files and phases.
    {"-o", "--output-file", Value::Word},
    {"-odir", "--output-directory", Value::Word},
    {"-objtemp", "--objdir-as-tempdir", Value::None},
    {"-c", "--compile", Value::None},
    {"-dc", "--device-c", Value::None},
    {"-dw", "--device-w", Value::None},
    {"-dlink", "--device-link", Value::None},
    {"-link", "--link", Value::None},
    {"-lib", "--lib", Value::None},
    {"-cuda", "--cuda", Value::None},
    {"-ptx", "--ptx", Value::None},
    {"-cubin", "--cubin", Value::None},
    {"-fatbin", "--fatbin", Value::None},
    {"-optix-ir", "--optix-ir", Value::None},
    {"-ltoir", "--ltoir", Value::None},
    {"-E", "--preprocess", Value::None},
    {"-M", "--generate-dependencies", Value::None},
    {"-MM", "--generate-nonsystem-dependencies", Value::None},
    {"-MD", "--generate-dependencies-with-compile", Value::None},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", Value::None},
    {"-MP", "--generate-dependency-targets", Value::None},
    {"-MF", "--dependency-output", Value::Word},
    {"-MT", "--dependency-target-name", Value::Word},
    {"-MQ", "--quote-dependency-target-name", Value::Word},
    {"-run", "--run", Value::None},
    {"-x", "--x", Value::Word},
    // Preprocessor.
    {"-include", "--pre-include", Value::Word},
    {"-isystem", "--system-include", Value::Word},
    {"-I", "--include-path", Value::Joined},
    {"-D", "--define-macro", Value::Joined},
    {"-U", "--undefine-macro", Value::Joined},
    // Linker.
    {"-l", "--library", Value::Joined},
    {"-L", "--library-path", Value::Joined},
    {"-cudart", "--cudart", Value::Word},
    {"-cudadevrt", "--cudadevrt", Value::Word},
    {"-ldir", "--libdevice-directory", Value::Word},
    {"-target-dir", "--target-directory", Value::Word},
    {"-shared", "--shared", Value::None},
    {"-r", "--relocatable-link", Value::None},
    {"-nodlink", "--no-device-link", Value::None},
    {"-hls", "--host-linker-script", Value::Word},
    {"-aug-hls", "--augment-host-linker-script", Value::None},
    {"-noprof", "--dont-use-profile", Value::None},
    // Host compiler.
    {"-std", "--std", Value::Word},
    {"-O", "--optimize", Value::Joined},
    {"-g", "--debug", Value::None},
    {"-pg", "--profile", Value::None},
    {"-m", "--machine", Value::Word},
    {"-m64", "--m64", Value::None},
    {"-m32", "--m32", Value::None},
    {"-ftemplate-depth", "--ftemplate-depth", Value::Word},
    {"-ftemplate-backtrace-limit", "--ftemplate-backtrace-limit", Value::Word},
    {"--no-align-double", "--no-align-double", Value::None},
    {"-qpp-config", "--qpp-config", Value::Word},
    {"-use-local-env", "--use-local-env", Value::None},
    {"-force-cl-env-setup", "--force-cl-env-setup", Value::None},
    {"-nohdinitlist", "--no-host-device-initializer-list", Value::None},
    {"-nohdmoveforward", "--no-host-device-move-forward", Value::None},
    {"-static-global-template-stub", "--static-global-template-stub", Value::Word},
    {"-device-entity-has-hidden-visibility", "--device-entity-has-hidden-visibility", Value::Word},
    {"-ccbin", "--compiler-bindir", Value::Word},
    {"-arbin", "--archiver-binary", Value::Word},
    {"-Xcompiler", "--compiler-options", Value::Word},
    {"-Xlinker", "--linker-options", Value::Word},
    {"-Xarchive", "--archive-options", Value::Word},
    {"-Werror", "--Werror", Value::Word},
    {"-w", "--disable-warnings", Value::None},
    {"-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets", Value::None},
    {"-Wno-deprecated-declarations", "--Wno-deprecated-declarations", Value::None},
    {"-Wreorder", "--Wreorder", Value::None},
    {"-Wext-lambda-captures-this", "--Wext-lambda-captures-this", Value::None},
    {"-Wmissing-launch-bounds", "--Wmissing-launch-bounds", Value::None},
    {"-Wdefault-stream-launch", "--Wdefault-stream-launch", Value::None},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler", Value::None},
    {"-forward-unknown-opts", "--forward-unknown-opts", Value::None},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", Value::None},
    {"-forward-unknown-to-host-linker", "--forward-unknown-to-host-linker", Value::None},
    {"-forward-slash-prefix-opts", "--forward-slash-prefix-opts", Value::None},
    // Device code.
    {"-arch", "--gpu-architecture", Value::Word},
    {"-code", "--gpu-code", Value::Word},
    {"-gencode", "--generate-code", Value::Word},
    {"-rdc", "--relocatable-device-code", Value::Word},
    {"-e", "--entries", Value::Word},
    {"-maxrregcount", "--maxrregcount", Value::Word},
    {"-use_fast_math", "--use_fast_math", Value::None},
    {"-ftz", "--ftz", Value::Word},
    {"-prec-div", "--prec-div", Value::Word},
    {"-prec-sqrt", "--prec-sqrt", Value::Word},
    {"-fmad", "--fmad", Value::Word},
    {"-default-stream", "--default-stream", Value::Word},
    {"-extra-device-vectorization", "--extra-device-vectorization", Value::None},
    {"-dopt", "--dopt", Value::Word},
    {"-dlto", "--dlink-time-opt", Value::None},
    {"-gen-opt-lto", "--gen-opt-lto", Value::None},
    {"-lto", "--lto", Value::None},
    {"-opt-info", "--optimization-info", Value::Word},
    {"-Ofc", "--Ofast-compile", Value::Word},
    {"-ewp", "--extensible-whole-program", Value::None},
    {"-keep-device-functions", "--keep-device-functions", Value::None},
    {"-src-in-ptx", "--source-in-ptx", Value::None},
    {"-no-compress", "--no-compress", Value::None},
    {"-astoolspatch", "--compile-as-tools-patch", Value::None},
    {"-jtd", "--jump-table-density", Value::Word},
    {"-reloc-ptx", "--relocatable-ptx", Value::None},
    {"-device-stack-protector", "--device-stack-protector", Value::Word},
    {"-sanitize", "--sanitize", Value::Word},
    {"-fdevice-syntax-only", "--fdevice-syntax-only", Value::None},
    {"-fdevice-time-trace", "--fdevice-time-trace", Value::Word},
    {"-G", "--device-debug", Value::None},
    {"-lineinfo", "--generate-line-info", Value::None},
    {"-expt-extended-lambda", "--expt-extended-lambda", Value::None},
    {"-extended-lambda", "--extended-lambda", Value::None},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", Value::None},
    {"-restrict", "--restrict", Value::None},
    {"-Xptxas", "--ptxas-options", Value::Word},
    {"-Xnvlink", "--nvlink-options", Value::Word},
    {"-Xcudafe", "--cudafe-options", Value::Word},
    {"-Xfatbin", "--fatbin-options", Value::Word},
    {"-err-no", "--display-error-number", Value::None},
    {"-no-err-no", "--no-display-error-number", Value::None},
    {"-diag-suppress", "--diag-suppress", Value::Word},
    {"-diag-warn", "--diag-warn", Value::Word},
    {"-diag-error", "--diag-error", Value::Word},
    {"-res-usage", "--resource-usage", Value::None},
    {"-compress-mode", "--compress-mode", Value::Word},
    // nvcc itself.
    {"-t", "--threads", Value::Word},
    {"-split-compile", "--split-compile", Value::Word},
    {"-split-compile-extended", "--split-compile-extended", Value::Word},
    {"-jobserver", "--jobserver", Value::None},
    {"-frandom-seed", "--frandom-seed", Value::Word},
    {"-brief-diag", "--brief-diagnostics", Value::Word},
    {"-code-ls", "--list-gpu-code", Value::None},
    {"-arch-ls", "--list-gpu-arch", Value::None},
    {"-idp", "--input-drive-prefix", Value::Word},
    {"-ddp", "--dependency-drive-prefix", Value::Word},
    {"-dp", "--drive-prefix", Value::Word},
    {"-v", "--verbose", Value::None},
    {"-V", "--version", Value::None},
    {"-h", "--help", Value::None},
    {"-dryrun", "--dryrun", Value::None},
    {"-keep", "--keep", Value::None},
    {"-keep-dir", "--keep-dir", Value::Word},
    {"-save-temps", "--save-temps", Value::None},
    {"-clean", "--clean-targets", Value::None},
    {"-time", "--time", Value::Word},
    {"-run-args", "--run-args", Value::Word},
    {"-noeh", "--no-exceptions", Value::None},
};

const NvccOption* optionOf(std::string_view name) {
  for (const NvccOption& one : options)
    if (one.shortName == name || one.longName == name) return &one;
  return nullptr;
}

}  // namespace

std::span<const NvccOption> nvccOptions() { return options; }

std::vector<std::string> partsOfList(const std::string& value) {
  std::vector<std::string> out;
  std::string part;
  bool isQuoted = false;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '"') isQuoted = !isQuoted;
    if (value[i] == '\\' && i + 1 < value.size() && value[i + 1] == ',') {
      part += value[++i];
    } else if (value[i] == ',' && !isQuoted) {
      if (!part.empty()) out.push_back(std::move(part));
      part.clear();
    } else {
      part += value[i];
    }
  }
  if (!part.empty()) out.push_back(std::move(part));
  return out;
}

std::vector<NvccWord> readNvccWords(std::vector<std::string>& words) {
  words = frontend::withResponseFiles(words, "", [](const std::string& problem) { throw Error(problem); });
  std::vector<NvccWord> out;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    NvccWord one{NvccWord::Kind::Input, word, "", i, 1};
    if (word.size() < 2 || word[0] != '-') {
      out.push_back(std::move(one));
      continue;
    }
    const size_t equals = word.find('=');
    const NvccOption* option = optionOf(word);
    if (!option && equals != std::string::npos) {
      option = optionOf(word.substr(0, equals));
      if (option && option->value == Value::None) option = nullptr;
      if (option) one.value = word.substr(equals + 1);
    } else if (option && option->value != Value::None) {
      if (i + 1 == words.size()) throw Error(word + " needs a value");
      one.value = words[++i];
      one.count = 2;
    }
    if (!option) {
      const NvccOption* joined = optionOf(word.substr(0, 2));
      if (joined && joined->value == Value::Joined) {
        option = joined;
        one.value = word.substr(2);
      }
    }
    one.kind = option ? NvccWord::Kind::Option : NvccWord::Kind::Unknown;
    if (option) one.name = option->shortName;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace hone::cli
