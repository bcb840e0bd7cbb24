// A parser of arithmetic expressions by recursive descent, with errors and variables.
#include <stdio.h>

static const char *at, *error;
static double variables[26];

static double expression(void);

static void skip(void) { while (*at == ' ') at++; }
static int accept(char c) { skip(); return *at == c ? at++, 1 : 0; }

static double primary(void) {
    skip();
    if (accept('(')) {
        double v = expression();
        if (!accept(')')) error = "missing )";
        return v;
    }
    if (accept('-')) return -primary();
    if (*at >= 'a' && *at <= 'z') return variables[*at++ - 'a'];
    if (*at < '0' || *at > '9') { error = "number expected"; return 0; }
    double v = 0, scale = 1;
    for (; *at >= '0' && *at <= '9'; at++) v = v * 10 + (*at - '0');
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++) v += (*at - '0') * (scale /= 10);
    return v;
}

static double power(void) {
    double base = primary();
    if (!accept('^')) return base;
    int n = (int)power();
    double r = 1;
    while (n-- > 0) r *= base;
    return r;
}

static double term(void) {
    double v = power();
    for (;;) {
        if (accept('*')) v *= power();
        else if (accept('/')) {
            double d = power();
            if (d == 0) error = "division by zero";
            else v /= d;
        } else return v;
    }
}

static double expression(void) {
    double v = term();
    for (;;) {
        if (accept('+')) v += term();
        else if (accept('-')) v -= term();
        else return v;
    }
}

int main(void) {
    const char *lines[] = {"1 + 2 * 3", "(1+2)*3 - -4", "2^3^2", "10/4/5", "x*x + y", "1 / (2 - 2)", "(1 + 2", "3 $ 4", "0.125 * 8"};
    variables['x' - 'a'] = 5, variables['y' - 'a'] = 0.5;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        at = lines[i], error = NULL;
        double v = expression();
        skip();
        if (!error && *at) error = "junk at the end";
        if (error) printf("%s: %s\n", lines[i], error);
        else printf("%s = %g\n", lines[i], v);
    }
    return 0;
}
