// memcpy, memmove in both directions, memset, of structs and of parts of arrays.
#include <stdio.h>
#include <string.h>

struct record { int id; char name[6]; double weight; const char *label; };

int main(void) {
    char b[] = "0123456789abcdef";
    memmove(b + 2, b, 8);
    puts(b);
    memmove(b, b + 4, 8);
    puts(b);
    memcpy(b, "XYZ", 3);
    puts(b);
    memset(b + 5, '-', 4);
    puts(b);
    struct record from = {7, "seven", 7.5, "label"}, to;
    memset(&to, 0, sizeof to);
    memcpy(&to, &from, sizeof to);
    printf("%d %s %g %s\n", to.id, to.name, to.weight, to.label);
    int numbers[8];
    memset(numbers, 0, sizeof numbers);
    for (int i = 0; i < 8; i++) numbers[i] += i * i;
    memmove(numbers + 1, numbers, 7 * sizeof *numbers);
    memset(numbers, 0xff, sizeof *numbers);
    for (int i = 0; i < 8; i++) printf("%d ", numbers[i]);
    printf("\n");
    const char *pointers[3] = {"a", "b", "c"}, *moved[3];
    memcpy(moved, pointers + 1, 2 * sizeof *moved);
    memcpy(moved + 2, pointers, sizeof *moved);
    printf("%s%s%s\n", moved[0], moved[1], moved[2]);
    unsigned value = 0;
    memset(&value, 1, 3);
    printf("%x\n", value);
    memcpy(b, b + 1, 0);
    return 0;
}
