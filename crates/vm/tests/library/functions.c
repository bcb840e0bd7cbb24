// Library functions on memory that another thread writes to meanwhile. With -DNAIVE the function under test is
// written out in C: as many executions must be explored as for the modelled one, with as many different results.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

char text[16] = "b,a";
char other[16] = "b,b";
char *kept;
long numbers[4] = { 3, 1, 2, 7 };
int count;

static int compare(const void *a, const void *b) { return *(const long *)a < *(const long *)b ? -1 : *(const long *)a > *(const long *)b; }

#ifdef NAIVE
static size_t my_strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
static size_t my_strnlen(const char *s, size_t m) { size_t n = 0; while (n < m && s[n]) n++; return n; }
static int my_strcmp(const char *a, const char *b) {
    for (;; a++, b++) { unsigned char x = *a, y = *b; if (x != y) return x < y ? -1 : 1; if (!x) return 0; }
}
static int my_memcmp(const void *p, const void *q, size_t n) {
    const unsigned char *a = p, *b = q;
    for (; n--; a++, b++) { unsigned char x = *a, y = *b; if (x != y) return x < y ? -1 : 1; }
    return 0;
}
static char *my_strchr(const char *s, int c) {
    for (;; s++) { char x = *s; if (x == (char)c) return (char *)s; if (!x) return NULL; }
}
static void *my_memchr(const void *p, int c, size_t n) {
    const unsigned char *s = p;
    for (; n--; s++) if (*s == (unsigned char)c) return (void *)s;
    return NULL;
}
static char *my_strcpy(char *d, const char *s) { char *r = d; for (;;) { char x = *s++; *d++ = x; if (!x) return r; } }
static char *my_strncpy(char *d, const char *s, size_t n) {
    size_t i = 0;
    for (; i < n; i++) { char x = s[i]; if (!x) break; d[i] = x; }
    for (; i < n; i++) d[i] = 0;
    return d;
}
static char *my_strcat(char *d, const char *s) { my_strcpy(d + my_strlen(d), s); return d; }
static size_t my_strcspn(const char *s, const char *set) {
    size_t n = 0;
    for (;;) { char x = s[n]; if (!x) return n; for (const char *c = set; *c; c++) if (*c == x) return n; n++; }
}
static char *my_strdup(const char *s) {
    char copy[16];
    size_t n = 0;
    while ((copy[n] = s[n])) n++;
    char *d = malloc(n + 1);
    for (size_t i = 0; i <= n; i++) d[i] = copy[i];
    return d;
}
static char *my_strtok_r(char *s, const char *set, char **keep) {
    if (!s) s = *keep;
    for (;; s++) { char x = *s; if (!x) { *keep = NULL; return NULL; } if (x != *set) break; }
    char *r = s++;
    for (;; s++) { char x = *s; if (!x) { *keep = NULL; return r; } if (x == *set) break; }
    *s = 0;
    *keep = s + 1;
    return r;
}
static int my_atoi(const char *s) { int n = 0; for (;;) { char x = *s++; if (x < '0' || x > '9') return n; n = 10 * n + x - '0'; } }
static long my_strtol(const char *s, char **end, int base) {
    long n = 0;
    for (;;) { char x = *s; if (x < '0' || x > '9') break; n = base * n + x - '0'; s++; }
    *end = (char *)s;
    return n;
}
static void *my_memcpy(void *to, const void *from, size_t n) {
    for (size_t i = 0; i < n / 8; i++) { long x = ((const long *)from)[i]; ((long *)to)[i] = x; }
    return to;
}
static void *my_memset(void *to, int c, size_t n) {
    for (size_t i = 0; i < n / 8; i++) ((long *)to)[i] = c * 0x0101010101010101l;
    return to;
}
static void my_qsort(void *base, size_t n, size_t size, int (*order)(const void *, const void *)) {
    long *a = base;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && order(a + j - 1, a + j) > 0; j--) {
            long x = a[j - 1], y = a[j];
            a[j - 1] = y;
            a[j] = x;
        }
}
static void *my_bsearch(const void *key, const void *base, size_t n, size_t size, int (*order)(const void *, const void *)) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        long *at = (long *)base + middle;
        int c = order(key, at);
        if (c == 0) return at;
        if (c < 0) high = middle; else low = middle + 1;
    }
    return NULL;
}
static void my_print(const char *s) { while (*s) s++; }
static int my_length(const char *s, int *n) { int i = 0; while (s[i]) i++; *n = i; return i; }
static void my_format(char *to, const char *s) {
    char copy[16];
    int n = 0;
    while ((copy[n] = s[n])) n++;
    for (int i = 0; i < n; i++) to[i] = copy[i];
    to[n] = 0;
}
#define strlen my_strlen
#define strnlen my_strnlen
#define strcmp my_strcmp
#define memcmp my_memcmp
#define strchr my_strchr
#define memchr my_memchr
#define strcpy my_strcpy
#define strncpy my_strncpy
#define strcat my_strcat
#define strcspn my_strcspn
#define strdup my_strdup
#define strtok_r my_strtok_r
#define atoi my_atoi
#define strtol my_strtol
#define memcpy my_memcpy
#define memmove my_memcpy
#define memset my_memset
#define qsort my_qsort
#define bsearch my_bsearch
#define PRINT my_print
#define LENGTH my_length
#define FORMAT my_format
#else
#define PRINT(s) printf("%s", s)
#define LENGTH(s, n) printf("%s%n", s, n)
#define FORMAT(to, s) sprintf(to, "%s", s)
#endif

static void *use(void *ignored) {
#if defined TEST_strlen
    strlen(text);
#elif defined TEST_strnlen
    strnlen(text, 2);
#elif defined TEST_strcmp
    strcmp(text, other);
#elif defined TEST_memcmp
    memcmp(text, other, 4);
#elif defined TEST_strchr
    strchr(text, 'a');
#elif defined TEST_memchr
    memchr(text, 'a', 4);
#elif defined TEST_strcpy
    strcpy(other, text);
#elif defined TEST_strncpy
    strncpy(other, text, 4);
#elif defined TEST_strcat
    strcat(other, text);
#elif defined TEST_strcspn
    strcspn(text, "a");
#elif defined TEST_strdup
    strdup(text);
#elif defined TEST_strtok_r
    strtok_r(text, ",", &kept);
#elif defined TEST_atoi
    atoi(text + 1);
#elif defined TEST_strtol
    strtol(text + 1, &kept, 10);
#elif defined TEST_memcpy
    memcpy(numbers, numbers + 2, 16);
#elif defined TEST_memmove
    memmove(numbers, numbers + 2, 16);
#elif defined TEST_memset
    memset(numbers, 1, 16);
#elif defined TEST_qsort
    qsort(numbers, 3, sizeof *numbers, compare);
#elif defined TEST_bsearch
    bsearch(numbers + 3, numbers, 3, sizeof *numbers, compare);
#elif defined TEST_print
    PRINT(text);
#elif defined TEST_length
    LENGTH(text, &count);
#elif defined TEST_format
    FORMAT(other, text);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    text[1] = '7';
    text[2] = 'x';
    text[3] = 0;
    other[0] = 'b';
    numbers[2] = numbers[1];
    if (numbers[0] == 2) count = 9;
    kept = NULL;
    pthread_join(thread, NULL);
    return 0;
}
