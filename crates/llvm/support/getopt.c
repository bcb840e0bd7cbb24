// `getopt` of POSIX, which stops at the first argument that is no option. Compiled with the program if it calls it.

#include <getopt.h>
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

// Its extension by options with longer names, which may be cut short as long as one of them is meant.

static int is_meant(const struct option *option, const char *name, size_t length) {
    return !strncmp(option->name, name, length);
}

static const struct option *find(const struct option *all, const char *name, size_t length, int *is_ambiguous) {
    const struct option *found = 0;
    *is_ambiguous = 0;
    for (const struct option *option = all; option->name; option++) {
        if (!is_meant(option, name, length))
            continue;
        if (strlen(option->name) == length) {
            *is_ambiguous = 0;
            return option;
        }
        *is_ambiguous |= found && (found->has_arg != option->has_arg || found->flag != option->flag || found->val != option->val);
        found = found ? found : option;
    }
    return found;
}

static int complain_of(char *const arguments[], const char *options, const char *argument, const char *what) {
    if (opterr && options[0] != ':')
        fprintf(stderr, "%s: option '%s' %s\n", arguments[0], argument, what);
    return '?';
}

int getopt_long(int count, char *const arguments[], const char *options, const struct option *all, int *index) {
    options += options[0] == '+' || options[0] == '-';
    const char *argument = optind < count ? arguments[optind] : 0;
    if (!argument || at != 1 || strncmp(argument, "--", 2) || !argument[2])
        return getopt(count, arguments, options);
    optind++;
    optarg = 0, optopt = 0;
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    int is_ambiguous;
    const struct option *option = find(all, name, length, &is_ambiguous);
    if (!option || is_ambiguous)
        return complain_of(arguments, options, argument, option ? "is ambiguous" : "is not known");
    optopt = option->flag ? 0 : option->val;
    if (name[length]) {
        if (option->has_arg == no_argument)
            return complain_of(arguments, options, argument, "doesn't allow an argument");
        optarg = (char *)name + length + 1;
    } else if (option->has_arg == required_argument) {
        if (optind >= count)
            return options[0] == ':' ? ':' : complain_of(arguments, options, argument, "requires an argument");
        optarg = arguments[optind++];
    }
    if (index)
        *index = (int)(option - all);
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}
