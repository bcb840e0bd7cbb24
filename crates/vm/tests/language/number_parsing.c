// atoi, strtol in many bases, strtoul, strtod, and where they stop.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void parse(const char *text, int base) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, base);
    printf("%s in %d: %ld, rest [%s]%s\n", text, base, n, end, errno == ERANGE ? ", out of range" : "");
}

int main(void) {
    printf("%d %d %d %d %d\n", atoi("42"), atoi("  -17x"), atoi("+8"), atoi("none"), atoi(""));
    printf("%ld %lld\n", atol("-5000000000"), atoll("9000000000000000000"));
    parse("123", 10);
    parse("-0x1F", 16);
    parse("0x1F", 0);
    parse("0755 rest", 0);
    parse("0899", 0);
    parse("zz", 36);
    parse("1012", 2);
    parse("  +5", 10);
    parse("abc", 10);
    parse("0x", 16);
    parse("99999999999999999999", 10);
    parse("-99999999999999999999", 10);
    printf("%lu %llu\n", strtoul("4000000000", NULL, 10), strtoull("ffffffffffffffff", NULL, 16));
    printf("%d\n", strtoul("-1", NULL, 10) == ULONG_MAX);
    char *end;
    double d = strtod("-12.5e2kg", &end);
    printf("%g [%s]\n", d, end);
    printf("%g %g %g\n", atof("3.25"), strtod(".5", NULL), strtod("1e-3", NULL));
    return 0;
}
