// What the C library has of dates and of options on the command line, in UTC.
// check: -- -v -n 5 -x file
// verdict: verified
#include <assert.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int verbose = 0, unknown = 0, option;
    const char *number = "";
    opterr = 0;
    while ((option = getopt(argc, argv, "vn:")) != -1) {
        if (option == 'v')
            verbose = 1;
        else if (option == 'n')
            number = optarg;
        else
            unknown = optopt;
    }
    assert(verbose && !strcmp(number, "5") && unknown == 'x');
    assert(optind == argc - 1 && !strcmp(argv[optind], "file"));

    time_t when = 951827696; // 2000-02-29 12:34:56
    struct tm date, *same = localtime_r(&when, &date);
    assert(same == &date && date.tm_year == 100 && date.tm_mon == 1 && date.tm_mday == 29 && date.tm_yday == 59);
    assert(date.tm_wday == 2 && date.tm_hour == 12 && date.tm_min == 34 && date.tm_sec == 56);
    char text[64];
    assert(strftime(text, sizeof text, "%F %T %a %j", &date) == 27 && !strcmp(text, "2000-02-29 12:34:56 Tue 060"));
    date.tm_mday += 366;
    assert(mktime(&date) == when + 366 * 86400 && date.tm_year == 101 && date.tm_mon == 2 && date.tm_mday == 1);
    when = -1;
    assert(!strcmp(ctime(&when), "Wed Dec 31 23:59:59 1969\n"));
    return 0;
}
