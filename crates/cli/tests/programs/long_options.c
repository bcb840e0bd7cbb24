// Long options, as GNU has them.
// check: -- --verbose --number=5 --na one -x --name
// verdict: verified
#include <assert.h>
#include <getopt.h>
#include <string.h>

int main(int argc, char **argv) {
    int is_verbose = 0, index = -1;
    const struct option options[] = {
        {"verbose", no_argument, &is_verbose, 7},
        {"number", required_argument, 0, 'n'},
        {"name", required_argument, 0, 'm'},
        {"xml", optional_argument, 0, 'x'},
        {0, 0, 0, 0},
    };
    opterr = 0;
    assert(getopt_long(argc, argv, "n:x", options, &index) == 0 && is_verbose == 7 && index == 0);
    assert(getopt_long(argc, argv, "n:x", options, &index) == 'n' && !strcmp(optarg, "5") && index == 1);
    assert(getopt_long(argc, argv, "n:x", options, 0) == 'm' && !strcmp(optarg, "one"));
    assert(getopt_long(argc, argv, "n:x", options, 0) == 'x' && !optarg);
    // What it needs is missing.
    assert(getopt_long(argc, argv, "n:x", options, 0) == '?' && optopt == 'm');
    assert(getopt_long(argc, argv, "n:x", options, 0) == -1 && optind == argc);
    // Names that begin so are several, or none.
    char *others[] = {"program", "--n", "--other", "--verbose=1", "--", "--verbose", 0};
    optind = 1;
    for (int i = 0; i < 3; i++)
        assert(getopt_long(6, others, "", options, 0) == '?');
    assert(getopt_long(6, others, "", options, 0) == -1 && optind == 5);
    return 0;
}
