#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
const char *greeting = "hello\n\t\"quoted\" \\ \x01\xff"; char buffer[64] = "abc"; wchar_t wide[] = L"w\u00e4";
const char *tail = &"suffix"[3];
int main(int argc, char **argv) {
  char *copy = malloc(strlen(greeting) + 1);
  strcpy(copy, greeting);
  memset(buffer, 'x', argc);
  memmove(buffer + 1, buffer, 8);
  int n = snprintf(buffer, sizeof buffer, "%s %d", copy, argc);
  free(copy);
  fprintf(stderr, "%s", argv[0]);
  return n + wide[1] + tail[0];
}
