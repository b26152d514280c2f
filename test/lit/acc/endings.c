/* A race is told, and shows in the exit status, in programs that end by _exit or quick_exit, or whose own check stops them.
   RUN: %hone acc -O0 %s -o %t
   RUN: sh -c '%t _exit; test $? -eq 1' 2>&1 | FileCheck %s
   RUN: sh -c '%t quick_exit; test $? -eq 1' 2>&1 | FileCheck %s
   RUN: sh -c '%t assert; test $? -eq 134' 2>&1 | FileCheck %s
*/
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
  int c = 0;
#pragma acc parallel loop copy(c)
  for (int i = 0; i < 1000; i++) c++;
  if (count > 1 && strcmp(words[1], "_exit") == 0) _exit(0);
  if (count > 1 && strcmp(words[1], "quick_exit") == 0) quick_exit(0);
  assert(c == 1000 && 0);
  return 0;
}
/* CHECK: endings.c:[[#@LINE-6]]: error: race in
   CHECK: hone: {{[0-9]+}} finding
*/
