// main with its arguments, of which there is only the name of the program.
#include <stdio.h>
#include <string.h>

static int flag(int argc, char *const *argv, const char *name) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0) return 1;
    return 0;
}

int main(int argc, char *argv[]) {
    printf("%d\n", argc);
    printf("%d %d\n", argv[0] != NULL && strlen(argv[0]) > 0, argv[1] == NULL);
    printf("%d\n", flag(argc, argv, "--verbose"));
    int count = 0;
    for (char **a = argv; *a; a++) count++;
    argv[0][0] = 'X';
    argv++, argc--;
    printf("%d %d %c\n", count, argc, argv[-1][0]);
    return 0;
}
