// switch: falling through, default in the middle, no case at all, nested, on other types.
#include <stdio.h>

static int classify(int n) {
    int score = 0;
    switch (n) {
    case 1: score += 1; __attribute__((fallthrough));
    case 2: score += 10; __attribute__((fallthrough));
    default: score += 100; break;
    case -5: return -1;
    case 3: case 4: score += 1000;
    }
    return score;
}

static const char *vowel(char c) {
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return "vowel";
    case 'y': return "sometimes";
    case '0' ... '9': return "digit";
    case 'A' ... 'Z': return "capital";
    }
    return "other";
}

static int wide(unsigned long long n) {
    switch (n) {
    case 0: return 0;
    case 1ULL << 40: return 40;
    case ~0ULL: return 64;
    case 5 ... 1000000: return 5;
    default: return -1;
    }
}

int main(void) {
    for (int i = -6; i < 6; i++) printf("%d ", classify(i));
    printf("\n");
    for (const char *p = "ay7Q-"; *p; p++) printf("%s ", vowel(*p));
    printf("\n%d %d %d %d %d\n", wide(0), wide(1ULL << 40), wide(~0ULL), wide(1000000), wide(1000001));
    for (int i = 0; i < 9; i++)
        switch (i % 3) {
        case 0:
            switch (i) {
            case 3: printf("three "); break;
            default: printf("multiple "); continue;
            }
            break;
        case 1: printf("one "); continue;
        case 2: break;
        }
    printf("\n");
    return 0;
}
