// Dates of the C library. The time zone is UTC, whatever the environment says. Compiled with the program if it calls one of
// these functions.

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char days[] = "SunMonTueWedThuFriSat";
static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
static const char *const long_days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const long_months[] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};

static int is_leap(long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/* The number of days from 1970 to the first of January of a year. */
static long days_before(long year) {
    long before = year - 1;
    return (year - 1970) * 365 + (before / 4 - 492) - (before / 100 - 19) + (before / 400 - 4);
}

static int days_of(int month, long year) {
    static const char of[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return of[month] + (month == 1 && is_leap(year));
}

struct tm *gmtime_r(const time_t *time, struct tm *result) {
    long day = *time / 86400, second = *time % 86400;
    if (second < 0)
        second += 86400, day--;
    long year = 1970 + day / 366;
    while (days_before(year + 1) <= day)
        year++;
    while (days_before(year) > day)
        year--;
    memset(result, 0, sizeof *result);
    result->tm_year = year - 1900;
    result->tm_yday = day - days_before(year);
    result->tm_mday = result->tm_yday + 1;
    while (result->tm_mday > days_of(result->tm_mon, year))
        result->tm_mday -= days_of(result->tm_mon++, year);
    result->tm_wday = ((day + 4) % 7 + 7) % 7;
    result->tm_hour = second / 3600;
    result->tm_min = second / 60 % 60;
    result->tm_sec = second % 60;
    result->tm_zone = "UTC";
    return result;
}

struct tm *localtime_r(const time_t *time, struct tm *result) { return gmtime_r(time, result); }

/* One for all threads, as in the library: who uses it in several is in a data race. */
static struct tm shared;
struct tm *gmtime(const time_t *time) { return gmtime_r(time, &shared); }
struct tm *localtime(const time_t *time) { return gmtime_r(time, &shared); }
void tzset(void) {}

time_t timegm(struct tm *date) {
    long month = date->tm_mon % 12, year = date->tm_year + 1900L + date->tm_mon / 12;
    if (month < 0)
        month += 12, year--;
    long day = days_before(year) + date->tm_mday - 1;
    for (int before = 0; before < month; before++)
        day += days_of(before, year);
    time_t time = ((day * 24 + date->tm_hour) * 60 + date->tm_min) * 60 + date->tm_sec;
    gmtime_r(&time, date);
    return time;
}

time_t mktime(struct tm *date) { return timegm(date); }
double difftime(time_t end, time_t start) { return (double)(end - start); }

char *asctime_r(const struct tm *date, char *text) {
    sprintf(text, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", days + 3 * date->tm_wday, months + 3 * date->tm_mon, date->tm_mday,
            date->tm_hour, date->tm_min, date->tm_sec, 1900 + date->tm_year);
    return text;
}

static char text[64];
char *asctime(const struct tm *date) { return asctime_r(date, text); }
char *ctime(const time_t *time) { return asctime(gmtime(time)); }
char *ctime_r(const time_t *time, char *buffer) {
    struct tm date;
    return asctime_r(gmtime_r(time, &date), buffer);
}

extern void __everyway_strftime_directive(void);

size_t strftime(char *to, size_t most, const char *format, const struct tm *date) {
    size_t length = 0;
    for (; *format; format++) {
        char part[32];
        int hour = date->tm_hour % 12 ? date->tm_hour % 12 : 12;
        if (*format != '%') {
            part[0] = *format, part[1] = 0;
        } else {
            switch (*++format) {
            case 'Y': sprintf(part, "%d", date->tm_year + 1900); break;
            case 'y': sprintf(part, "%02d", date->tm_year % 100); break;
            case 'm': sprintf(part, "%02d", date->tm_mon + 1); break;
            case 'd': sprintf(part, "%02d", date->tm_mday); break;
            case 'e': sprintf(part, "%2d", date->tm_mday); break;
            case 'H': sprintf(part, "%02d", date->tm_hour); break;
            case 'I': sprintf(part, "%02d", hour); break;
            case 'M': sprintf(part, "%02d", date->tm_min); break;
            case 'S': sprintf(part, "%02d", date->tm_sec); break;
            case 'j': sprintf(part, "%03d", date->tm_yday + 1); break;
            case 'w': sprintf(part, "%d", date->tm_wday); break;
            case 'p': strcpy(part, date->tm_hour < 12 ? "AM" : "PM"); break;
            case 'a': sprintf(part, "%.3s", days + 3 * date->tm_wday); break;
            case 'A': strcpy(part, long_days[date->tm_wday]); break;
            case 'b': case 'h': sprintf(part, "%.3s", months + 3 * date->tm_mon); break;
            case 'B': strcpy(part, long_months[date->tm_mon]); break;
            case 'F': sprintf(part, "%d-%02d-%02d", date->tm_year + 1900, date->tm_mon + 1, date->tm_mday); break;
            case 'T': sprintf(part, "%02d:%02d:%02d", date->tm_hour, date->tm_min, date->tm_sec); break;
            case 'R': sprintf(part, "%02d:%02d", date->tm_hour, date->tm_min); break;
            case 'Z': strcpy(part, "UTC"); break;
            case 'z': strcpy(part, "+0000"); break;
            case 'n': strcpy(part, "\n"); break;
            case 't': strcpy(part, "\t"); break;
            case '%': strcpy(part, "%"); break;
            default: __everyway_strftime_directive();
            }
        }
        for (char *from = part; *from; from++) {
            if (length + 1 >= most)
                return 0;
            to[length++] = *from;
        }
    }
    if (length < most)
        to[length] = 0;
    return length;
}
