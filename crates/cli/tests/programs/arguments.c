// The program's own arguments.
// check: -- two words
// verdict: verified
// check: -- one
// verdict: bug
// bug: assertion
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
    assert(argc == 3); // <- bug
    assert(strcmp(argv[1], "two") == 0 && strcmp(argv[2], "words") == 0);
    return 0;
}
