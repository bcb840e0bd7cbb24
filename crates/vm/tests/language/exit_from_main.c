// The status that main returns.
#include <stdio.h>

static int status(int argc) { return argc * 40 + 2; }

int main(int argc, char **argv) {
    printf("%d %d\n", argc, argv[argc] == NULL);
    return status(argc);
}
