// %f, %e, %g and %a with flags, widths and precisions.
#include <stdio.h>

int main(void) {
    double values[] = {0, 1, -1, 0.5, 3.14159265358979, -2.5, 1e10, 1.5e-7, 123456789.125, 1e100, 99999.95, 0.0001};
    for (int i = 0; i < 12; i++) {
        double d = values[i];
        printf("[%f|%.0f|%.1f|%10.3f|%-10.2f|%+f|%010.2f]\n", d, d, d, d, d, d, d);
        printf("[%e|%.0e|%.2e|%15.4e|%E]\n", d, d, d, d, d);
        printf("[%g|%.0g|%.3g|%10g|%-12.8g|%G|%#g|%.17g]\n", d, d, d, d, d, d, d, d);
    }
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
    printf("%.2f %.1f %.3f\n", 2.675, 0.25, 1.0005);
    printf("%*.*f|%-*.*f|\n", 10, 2, 3.14159, 10, 3, 2.71828);
    printf("% f % g %+.1e\n", 1.0, 2.0, -3.0);
    printf("%g %g %g %g\n", 1e5, 1e6, 123456.0, 1234567.0);
    printf("%g %g %g\n", 1e-4, 1e-5, 0.00012345);
    printf("%f\n", (double)1.1f);
    return 0;
}
