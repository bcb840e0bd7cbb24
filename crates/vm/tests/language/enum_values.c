// Enumerations: explicit, repeated and negative values, as array indices and in switches.
#include <stdio.h>

enum level { LOW = -2, MIDDLE, ZERO, HIGH = 10, HIGHER, ALIAS = HIGH };
enum { WIDTH = 1 << 4, MASK = WIDTH - 1 };
typedef enum { RED, GREEN, BLUE, COLOURS } colour;

static const char *name(colour c) {
    static const char *const names[COLOURS] = {[RED] = "red", [GREEN] = "green", [BLUE] = "blue"};
    return names[c];
}

static int weigh(enum level level) {
    switch (level) {
    case LOW: return 1;
    case MIDDLE: return 2;
    case ZERO: return 3;
    case HIGH: return 4;
    case HIGHER: return 5;
    }
    return 0;
}

int main(void) {
    printf("%d %d %d %d %d %d\n", LOW, MIDDLE, ZERO, HIGH, HIGHER, ALIAS);
    printf("%d %d %d %d %d\n", weigh(LOW), weigh(MIDDLE), weigh(ZERO), weigh(ALIAS), weigh(HIGHER));
    for (colour c = RED; c < COLOURS; c++) printf("%s ", name(c));
    printf("%d %d %zu\n", WIDTH, 0x1234 & MASK, sizeof(colour));
    enum level l = (enum level)(HIGH + 1);
    printf("%d %d\n", l == HIGHER, l > MIDDLE);
    return 0;
}
