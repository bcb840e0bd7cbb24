// Errors as results, with cleaning up on every way out, and errno.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { OK, EMPTY, BAD_DIGIT, TOO_LARGE } status;
static int live;

static status parse(const char *text, unsigned *out) {
    if (!*text) return EMPTY;
    unsigned value = 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return BAD_DIGIT;
        value = value * 10 + (unsigned)(*text - '0');
        if (value > 1000) return TOO_LARGE;
    }
    *out = value;
    return OK;
}

static status sum(const char *const *texts, int n, unsigned *total) {
    status s = OK;
    unsigned *values = malloc((size_t)n * sizeof *values);
    live++;
    for (int i = 0; i < n; i++)
        if ((s = parse(texts[i], &values[i])) != OK) goto out;
    *total = 0;
    for (int i = 0; i < n; i++) *total += values[i];
out:
    free(values);
    live--;
    return s;
}

static int checked(int n) {
    if (n < 0) { errno = EINVAL; return -1; }
    if (n > 10) { errno = ERANGE; return -1; }
    return n * n;
}

int main(void) {
    const char *inputs[][3] = {{"1", "22", "333"}, {"1", "", "3"}, {"x", "2", "3"}, {"1", "2", "99999"}};
    for (int i = 0; i < 4; i++) {
        unsigned total = 0;
        status s = sum(inputs[i], 3, &total);
        printf("%d %u %d\n", s, total, live);
    }
    errno = 0;
    printf("%d\n", checked(5));
    printf("%d\n", errno);
    int r = checked(-1);
    printf("%d %d\n", r, errno == EINVAL);
    r = checked(11);
    printf("%d %d %d\n", r, errno == ERANGE, strcmp(strerror(EINVAL), strerror(ERANGE)) != 0);
    return 0;
}
