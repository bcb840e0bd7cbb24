// Between floating point and integers: truncation, rounding of large integers, all widths.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    double values[] = {0.5, -0.5, 1.99, -1.99, 100.5, -128.9, 2147483647.0};
    for (int i = 0; i < 7; i++) printf("%d %lld %g\n", (int)values[i], (long long)(values[i] * 1000), values[i]);
    printf("%u %llu\n", (unsigned)4294967295.5, (unsigned long long)1.8e19);
    printf("%d %d %u\n", (signed char)-100.7, (short)12345.9, (unsigned char)255.9);
    int64_t large = 9007199254740993;
    printf("%.0f %.0f %.0f\n", (double)large, (double)(float)large, (double)INT64_MAX);
    printf("%.0f %.0f\n", (double)UINT64_MAX, (double)(float)UINT32_MAX);
    printf("%.1f %.1f\n", (double)(int8_t)-7, (double)(uint16_t)60000);
    int odd = 16777217;
    float f = (float)odd;
    printf("%.1f %d\n", f, (int)f);
    int i = 7;
    double d = i / 2, e = i / 2.0;
    printf("%g %g %g\n", d, e, (double)i / 2);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    printf("%08x\n", bits);
    double small = 0.001;
    _Bool b = small;
    printf("%d %d\n", b, (int)(float)0.99999999);
    return 0;
}
