// A state machine by table: numbers, names and comments of a small language.
#include <stdio.h>

enum state { START, NAME, NUMBER, FRACTION, COMMENT, STATES };
enum class { LETTER, DIGIT, DOT, HASH, NEWLINE, OTHER, CLASSES };

static const unsigned char next[STATES][CLASSES] = {
    [START] = {NAME, NUMBER, START, COMMENT, START, START},
    [NAME] = {NAME, NAME, START, COMMENT, START, START},
    [NUMBER] = {NAME, NUMBER, FRACTION, COMMENT, START, START},
    [FRACTION] = {NAME, FRACTION, START, COMMENT, START, START},
    [COMMENT] = {COMMENT, COMMENT, COMMENT, COMMENT, START, COMMENT},
};
static const char *const names[STATES] = {"start", "name", "number", "fraction", "comment"};

static enum class classify(char c) {
    if ((c >= 'a' && c <= 'z') || c == '_') return LETTER;
    if (c >= '0' && c <= '9') return DIGIT;
    return c == '.' ? DOT : c == '#' ? HASH : c == '\n' ? NEWLINE : OTHER;
}

int main(void) {
    const char *text = "x1 = 3.25 + y_2 # sum 1\nz.5 12..7 9a\n";
    enum state state = START;
    int counts[STATES] = {0};
    const char *from = text;
    for (const char *p = text; *p; p++) {
        enum state to = (enum state)next[state][classify(*p)];
        if (to != state && !(state == NUMBER && to == FRACTION)) {
            if (state != START) printf("%s [%.*s]\n", names[state], (int)(p - from), from), counts[state]++;
            from = p;
        }
        state = to;
    }
    for (int s = 0; s < STATES; s++) printf("%d ", counts[s]);
    printf("\n");
    return 0;
}
