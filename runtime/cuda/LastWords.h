// What was found is said, too, where a program ends without the functions of atexit: by a signal, _exit,
// _Exit or quick_exit.
#pragma once

#include <string>

namespace hone::cuda {

struct LastWords {
  int process = 0;             // whose they are: forked processes have findings of their own
  std::string text;            // for stderr
  std::string jsonFile, json;  // no name: no file
  bool fails = false;          // the exit status is 1
};

// From now on, in the place of what was prepared before. It is kept ready as a whole: handlers of signals can
// do no more than write it.
void prepareLastWords(LastWords words);
// They were said in another way.
void dropLastWords();
// Signals that would end the program, and quick_exit, say them first. Once.
void watchEndings();
// Where one of ours handles a signal by itself. May be called there.
void sayLastWords();

}  // namespace hone::cuda
