// `getopt` of POSIX, which stops at the first argument that is no option. Compiled with the program if it calls it.

#include <stdio.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt;
static int at = 1;

static int complain(char *const arguments[], const char *options, const char *what) {
    if (opterr && options[0] != ':')
        fprintf(stderr, "%s: %s -- '%c'\n", arguments[0], what, optopt);
    return '?';
}

int getopt(int count, char *const arguments[], const char *options) {
    optarg = 0;
    if (optind >= count || !arguments[optind] || arguments[optind][0] != '-' || !arguments[optind][1])
        return -1;
    if (!strcmp(arguments[optind], "--")) {
        optind++;
        return -1;
    }
    const char *argument = arguments[optind];
    optopt = argument[at++];
    const char *known = optopt == ':' ? 0 : strchr(options[0] == ':' ? options + 1 : options, optopt);
    int is_last = !argument[at];
    if (known && known[1] == ':' && !is_last) {
        optarg = (char *)argument + at;
        is_last = 1;
    } else if (known && known[1] == ':' && known[2] != ':') {
        optind++, at = 1;
        if (optind >= count)
            return options[0] == ':' ? ':' : complain(arguments, options, "option requires an argument");
        optarg = arguments[optind++];
        return optopt;
    }
    if (is_last)
        optind++, at = 1;
    return known ? optopt : complain(arguments, options, "invalid option");
}
