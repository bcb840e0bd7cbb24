// Files that the program makes itself, as streams and as descriptors.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void streams(const char *name) {
    char buffer[32];
    FILE *file = fopen(name, "w+");
    assert(file);
    fprintf(file, "line %d\n", 1);
    fputs("second\n", file);
    fputc('x', file);
    printf("%ld\n", ftell(file));
    rewind(file);
    while (fgets(buffer, sizeof buffer, file)) printf("[%s]", buffer);
    printf("%d %d\n", feof(file) != 0, ferror(file));
    fseek(file, -3, SEEK_END);
    size_t count = fread(buffer, 1, 10, file);
    buffer[count] = 0;
    printf("%zu %s\n", count, buffer);
    fseek(file, 0, SEEK_SET);
    int c = fgetc(file);
    ungetc(c, file);
    c = fgetc(file);
    printf("%c", c);
    c = fgetc(file);
    printf("%c %ld\n", c, ftell(file));
    fclose(file);
    file = fopen(name, "a");
    fprintf(file, "appended %s", "!");
    printf("%d\n", fgetc(file));
    fclose(file);
    assert(!fopen(name, "wx") && errno == EEXIST);
}

static void descriptors(const char *name, const char *other) {
    char buffer[32];
    int file = open(name, O_RDWR);
    printf("%ld\n", (long)lseek(file, 0, SEEK_END));
    lseek(file, 5, SEEK_SET);
    assert(write(file, "9", 1) == 1);
    lseek(file, 0, SEEK_SET);
    ssize_t count = read(file, buffer, 8);
    printf("%.*s|", (int)count, buffer);
    assert(open(name, O_CREAT | O_EXCL | O_RDWR, 0600) == -1 && errno == EEXIST);
    assert(ftruncate(file, 3) == 0);
    printf("%ld ", (long)lseek(file, 0, SEEK_END));
    printf("%zd ", pread(file, buffer, 9, 1));
    printf("%zd\n", pwrite(file, "zz", 2, 4));
    count = pread(file, buffer, 9, 0);
    for (ssize_t i = 0; i < count; i++) printf("%d ", buffer[i]);
    puts("");
    close(file);
    assert(close(file) == -1 && errno == EBADF);
    assert(rename(name, other) == 0);
    printf("%d %d\n", access(name, F_OK), access(other, F_OK));
    file = open(other, O_RDONLY);
    assert(write(file, "x", 1) == -1 && errno == EBADF);
    assert(remove(other) == 0 && remove(other) == -1 && errno == ENOENT);
    printf("%zd\n", read(file, buffer, 9));
    close(file);
}

int main(void) {
    char name[64], other[64], buffer[16];
    snprintf(name, sizeof name, "/tmp/everyway-files-%d", (int)getpid());
    snprintf(other, sizeof other, "%s-other", name);
    assert(!fopen(name, "r") && errno == ENOENT);
    streams(name);
    descriptors(name, other);
    FILE *file = tmpfile();
    fprintf(file, "%05d", 42);
    rewind(file);
    printf("%s\n", fgets(buffer, sizeof buffer, file));
    fclose(file);
    fprintf(stdout, "%s\n", "done");
    fputs("x\n", stdout);
    fwrite("yy\n", 1, 3, stdout);
    return 0;
}
