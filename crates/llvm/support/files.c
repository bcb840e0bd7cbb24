// Files, in memory only: at the start of the program there is none, and each lasts until it is removed. Streams have no
// buffer, so what is written is there for others at once. An operation on a stream or a descriptor locks what is opened,
// and then the file. Compiled with the program if it opens a file.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What goes to the standard output and error, and what comes from the standard input. */
extern ssize_t __everyway_write(int, const void *, size_t);
extern int __everyway_vfprintf(FILE *, const char *, va_list);
extern ssize_t __everyway_read(int, void *, size_t);
/* A file is looked for that nobody has written: a verdict says that there are none. */
extern void __everyway_no_file(void);
/* This memory would be the system's: it is no leak. */
extern void __everyway_keep(void *);
/* Ends the check with a message. */
extern void __everyway_refuse(const char *);

/* A file, with or without a name. */
struct node {
    pthread_mutex_t lock;
    char *name;
    unsigned char *bytes;
    size_t size, room;
    /* How often it is open; whether it has a name. */
    int open, named;
    struct node *next;
};

/* A file that is open: what `FILE *` and descriptors stand for. */
struct file {
    pthread_mutex_t lock;
    struct node *node;
    off_t position;
    int flags, descriptor, at_end, failed, back;
};

enum { MOST = 64, FIRST = 3, NONE = -1 };

static pthread_mutex_t directory = PTHREAD_MUTEX_INITIALIZER;
static struct node *nodes;
static struct file *table[MOST];

static int fails(int reason) {
    errno = reason;
    return -1;
}

static int can_read(const struct file *file) { return (file->flags & O_ACCMODE) != O_WRONLY; }
static int can_write(const struct file *file) { return (file->flags & O_ACCMODE) != O_RDONLY; }

/* The standard stream that this is: its descriptor, or NONE. */
static int standard(FILE *stream) {
    if (stream == stdin) return 0;
    if (stream == stdout) return 1;
    return stream == stderr ? 2 : NONE;
}

static struct file *opened(FILE *stream) { return (struct file *)stream; }

/* What a descriptor stands for, or null. The directory is not locked. */
static struct file *described(int descriptor) {
    struct file *file = 0;
    pthread_mutex_lock(&directory);
    if (descriptor >= FIRST && descriptor < MOST) file = table[descriptor];
    pthread_mutex_unlock(&directory);
    if (!file) errno = EBADF;
    return file;
}

/* The file of this name, or null. The directory is locked. */
static struct node *find(const char *name) {
    for (struct node *node = nodes; node; node = node->next)
        if (node->named && !strcmp(node->name, name)) return node;
    return 0;
}

/* A new file, with a name if there is one. The directory is locked. */
static struct node *create(const char *name) {
    struct node *node = calloc(1, sizeof *node);
    if (!node) return 0;
    node->name = name ? strdup(name) : 0;
    if (name && !node->name) {
        free(node);
        return 0;
    }
    __everyway_keep(node);
    if (name) __everyway_keep(node->name);
    pthread_mutex_init(&node->lock, 0);
    node->named = name != 0;
    node->next = nodes;
    nodes = node;
    return node;
}

/* Frees a file that nobody can come to any more. The directory is locked. */
static void drop(struct node *node) {
    if (node->open || node->named) return;
    struct node **place = &nodes;
    while (*place != node) place = &(*place)->next;
    *place = node->next;
    pthread_mutex_destroy(&node->lock);
    free(node->name);
    free(node->bytes);
    free(node);
}

static int unused(void) {
    for (int number = FIRST; number < MOST; number++)
        if (!table[number]) return number;
    return NONE;
}

/* Opens a file, which is found or made. The directory is locked. */
static struct file *open_node(struct node *node, int flags) {
    int descriptor = unused();
    struct file *file = descriptor == NONE ? 0 : calloc(1, sizeof *file);
    if (!file) {
        errno = descriptor == NONE ? EMFILE : ENOMEM;
        return 0;
    }
    __everyway_keep(file);
    pthread_mutex_init(&file->lock, 0);
    file->node = node;
    file->flags = flags;
    file->descriptor = descriptor;
    file->back = NONE;
    node->open++;
    table[descriptor] = file;
    if (flags & O_TRUNC && can_write(file)) {
        pthread_mutex_lock(&node->lock);
        node->size = 0;
        pthread_mutex_unlock(&node->lock);
    }
    return file;
}

static int is_special(const char *name) {
    return !strncmp(name, "/dev/", 5) || !strncmp(name, "/proc/", 6) || !strncmp(name, "/sys/", 5);
}

static struct file *open_file(const char *name, int flags) {
    if (is_special(name)) __everyway_refuse("files in /dev, /proc and /sys are not modelled");
    if (flags & (O_DIRECTORY | O_PATH)) __everyway_refuse("directories are not modelled");
    pthread_mutex_lock(&directory);
    struct node *node = find(name);
    struct file *file = 0;
    if (node && flags & O_CREAT && flags & O_EXCL) {
        errno = EEXIST;
    } else if (!node && !(flags & O_CREAT)) {
        __everyway_no_file();
        errno = ENOENT;
    } else {
        if (!node) {
            __everyway_no_file();
            node = create(name);
        }
        if (node) file = open_node(node, flags);
        else errno = ENOMEM;
    }
    pthread_mutex_unlock(&directory);
    return file;
}

static int shut(struct file *file) {
    pthread_mutex_lock(&directory);
    table[file->descriptor] = 0;
    file->node->open--;
    drop(file->node);
    pthread_mutex_unlock(&directory);
    pthread_mutex_destroy(&file->lock);
    free(file);
    return 0;
}

/* Reads from a position on. */
static size_t get(struct node *node, off_t from, void *to, size_t count) {
    pthread_mutex_lock(&node->lock);
    size_t left = (size_t)from < node->size ? node->size - from : 0;
    if (count > left) count = left;
    if (count) memcpy(to, node->bytes + from, count);
    pthread_mutex_unlock(&node->lock);
    return count;
}

/* Makes room for a size. The file is locked. */
static int make_room(struct node *node, size_t size) {
    if (size > node->room) {
        size_t room = size > 2 * node->room ? size : 2 * node->room;
        unsigned char *bytes = realloc(node->bytes, room);
        if (!bytes) return fails(ENOSPC);
        __everyway_keep(bytes);
        node->bytes = bytes;
        node->room = room;
    }
    if (size > node->size) memset(node->bytes + node->size, 0, size - node->size);
    return 0;
}

/* Writes from a position on, or at the end; returns where that was, or -1. */
static off_t put(struct node *node, off_t from, int appends, const void *bytes, size_t count) {
    pthread_mutex_lock(&node->lock);
    if (appends) from = (off_t)node->size;
    if (count && make_room(node, from + count)) from = -1;
    if (count && from != -1) {
        memcpy(node->bytes + from, bytes, count);
        if (from + count > node->size) node->size = from + count;
    }
    pthread_mutex_unlock(&node->lock);
    return from;
}

/* Reads where a file stands. It is locked. */
static ssize_t read_on(struct file *file, void *to, size_t count) {
    if (!can_read(file)) return fails(EBADF);
    size_t pushed = 0;
    if (count && file->back != NONE) {
        *(unsigned char *)to = (unsigned char)file->back;
        file->back = NONE;
        pushed = 1;
    }
    size_t got = get(file->node, file->position, (char *)to + pushed, count - pushed);
    file->position += got;
    return (ssize_t)(got + pushed);
}

static ssize_t write_on(struct file *file, const void *bytes, size_t count) {
    if (!can_write(file)) return fails(EBADF);
    off_t start = put(file->node, file->position, file->flags & O_APPEND, bytes, count);
    if (start == -1) return -1;
    file->position = start + (off_t)count;
    return (ssize_t)count;
}

static off_t seek_in(struct file *file, off_t offset, int from) {
    off_t start = 0;
    if (from == SEEK_CUR) {
        start = file->position - (file->back != NONE);
    } else if (from == SEEK_END) {
        pthread_mutex_lock(&file->node->lock);
        start = (off_t)file->node->size;
        pthread_mutex_unlock(&file->node->lock);
    } else if (from != SEEK_SET) {
        return fails(EINVAL);
    }
    if (start + offset < 0) return fails(EINVAL);
    file->back = NONE;
    file->at_end = 0;
    return file->position = start + offset;
}

/* Descriptors. */

int open(const char *name, int flags, ...) {
    if ((flags & O_TMPFILE) == O_TMPFILE) __everyway_refuse("O_TMPFILE is not modelled");
    struct file *file = open_file(name, flags);
    return file ? file->descriptor : -1;
}

int open64(const char *name, int flags, ...) { return open(name, flags); }
int creat(const char *name, mode_t mode) { return open(name, O_WRONLY | O_CREAT | O_TRUNC, mode); }

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < FIRST) __everyway_refuse("the standard streams cannot be closed here");
    struct file *file = described(descriptor);
    return file ? shut(file) : -1;
}

ssize_t read(int descriptor, void *to, size_t count) {
    if (descriptor == 0) return __everyway_read(0, to, count);
    struct file *file = described(descriptor);
    if (!file) return -1;
    pthread_mutex_lock(&file->lock);
    ssize_t result = read_on(file, to, count);
    pthread_mutex_unlock(&file->lock);
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (descriptor == 1 || descriptor == 2) return __everyway_write(descriptor, bytes, count);
    struct file *file = described(descriptor);
    if (!file) return -1;
    pthread_mutex_lock(&file->lock);
    ssize_t result = write_on(file, bytes, count);
    pthread_mutex_unlock(&file->lock);
    return result;
}

ssize_t pread(int descriptor, void *to, size_t count, off_t from) {
    struct file *file = described(descriptor);
    if (!file) return -1;
    if (!can_read(file)) return fails(EBADF);
    return from < 0 ? fails(EINVAL) : (ssize_t)get(file->node, from, to, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t from) {
    struct file *file = described(descriptor);
    if (!file) return -1;
    if (!can_write(file)) return fails(EBADF);
    if (from < 0) return fails(EINVAL);
    // As Linux has it: a file that is opened for appending is appended to.
    return put(file->node, from, file->flags & O_APPEND, bytes, count) == -1 ? -1 : (ssize_t)count;
}

off_t lseek(int descriptor, off_t offset, int from) {
    struct file *file = described(descriptor);
    if (!file) return -1;
    pthread_mutex_lock(&file->lock);
    off_t result = seek_in(file, offset, from);
    pthread_mutex_unlock(&file->lock);
    return result;
}

off_t lseek64(int descriptor, off_t offset, int from) { return lseek(descriptor, offset, from); }

int ftruncate(int descriptor, off_t size) {
    struct file *file = described(descriptor);
    if (!file) return -1;
    if (!can_write(file) || size < 0) return fails(EINVAL);
    struct node *node = file->node;
    pthread_mutex_lock(&node->lock);
    int result = make_room(node, size);
    if (!result) node->size = size;
    pthread_mutex_unlock(&node->lock);
    return result;
}

int fsync(int descriptor) { return described(descriptor) ? 0 : -1; }
int fdatasync(int descriptor) { return fsync(descriptor); }

/* Names. */

int unlink(const char *name) {
    int result = 0;
    pthread_mutex_lock(&directory);
    struct node *node = find(name);
    if (node) {
        node->named = 0;
        drop(node);
    } else {
        __everyway_no_file();
        result = fails(ENOENT);
    }
    pthread_mutex_unlock(&directory);
    return result;
}

int remove(const char *name) { return unlink(name); }

int rename(const char *name, const char *to) {
    int result = 0;
    pthread_mutex_lock(&directory);
    struct node *node = find(name), *other = find(to);
    char *copy = node && node != other ? strdup(to) : 0;
    if (!node) {
        __everyway_no_file();
        result = fails(ENOENT);
    } else if (node != other && !copy) {
        result = fails(ENOMEM);
    } else if (node != other) {
        if (other) {
            other->named = 0;
            drop(other);
        }
        free(node->name);
        __everyway_keep(copy);
        node->name = copy;
    }
    pthread_mutex_unlock(&directory);
    return result;
}

int access(const char *name, int mode) {
    (void)mode;
    pthread_mutex_lock(&directory);
    int exists = find(name) != 0;
    pthread_mutex_unlock(&directory);
    if (exists) return 0;
    __everyway_no_file();
    return fails(ENOENT);
}

/* Streams. */

/* The flags that a mode stands for, or -1. */
static int flags_of(const char *mode) {
    int flags = mode[0] == 'r' ? 0 : mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : -1;
    if (flags == -1) return fails(EINVAL);
    int both = strchr(mode, '+') != 0;
    if (strchr(mode, 'x')) flags |= O_EXCL;
    return flags | (both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY);
}

FILE *fopen(const char *name, const char *mode) {
    int flags = flags_of(mode);
    return flags == -1 ? 0 : (FILE *)open_file(name, flags);
}

FILE *fopen64(const char *name, const char *mode) { return fopen(name, mode); }

FILE *tmpfile(void) {
    pthread_mutex_lock(&directory);
    struct node *node = create(0);
    struct file *file = node ? open_node(node, O_RDWR) : 0;
    if (!node) errno = ENOMEM;
    else if (!file) drop(node);
    pthread_mutex_unlock(&directory);
    return (FILE *)file;
}

FILE *tmpfile64(void) { return tmpfile(); }

FILE *fdopen(int descriptor, const char *mode) {
    (void)mode;
    if (descriptor >= 0 && descriptor < FIRST) return descriptor == 0 ? stdin : descriptor == 1 ? stdout : stderr;
    return (FILE *)described(descriptor);
}

int fileno(FILE *stream) {
    int number = standard(stream);
    return number == NONE ? opened(stream)->descriptor : number;
}

int fclose(FILE *stream) { return standard(stream) == NONE ? shut(opened(stream)) : 0; }
int fflush(FILE *stream) { return (void)stream, 0; }

size_t fread(void *to, size_t size, size_t count, FILE *stream) {
    if (standard(stream) != NONE) return __everyway_read(0, to, size * count), 0;
    struct file *file = opened(stream);
    pthread_mutex_lock(&file->lock);
    ssize_t got = size && count ? read_on(file, to, size * count) : 0;
    if (got < 0) file->failed = 1;
    else if ((size_t)got < size * count) file->at_end = 1;
    pthread_mutex_unlock(&file->lock);
    return got > 0 ? got / size : 0;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream) {
    int number = standard(stream);
    if (number != NONE) return __everyway_write(number, bytes, size * count), count;
    struct file *file = opened(stream);
    pthread_mutex_lock(&file->lock);
    ssize_t written = write_on(file, bytes, size * count);
    if (written < 0) file->failed = 1;
    pthread_mutex_unlock(&file->lock);
    return written < 0 || !size ? 0 : count;
}

int fgetc(FILE *stream) {
    unsigned char byte;
    return fread(&byte, 1, 1, stream) == 1 ? byte : EOF;
}

int getc(FILE *stream) { return fgetc(stream); }

int ungetc(int byte, FILE *stream) {
    if (standard(stream) != NONE) __everyway_refuse("`ungetc` is modelled for files only");
    struct file *file = opened(stream);
    pthread_mutex_lock(&file->lock);
    int result = byte == EOF || file->back != NONE ? EOF : (file->back = (unsigned char)byte);
    if (result != EOF) file->at_end = 0;
    pthread_mutex_unlock(&file->lock);
    return result;
}

char *fgets(char *line, int size, FILE *stream) {
    if (standard(stream) != NONE) return __everyway_read(0, line, size), (char *)0;
    struct file *file = opened(stream);
    int length = 0;
    pthread_mutex_lock(&file->lock);
    while (length + 1 < size) {
        ssize_t got = read_on(file, line + length, 1);
        if (got < 0) file->failed = 1;
        if (got == 0) file->at_end = 1;
        if (got <= 0) break;
        if (line[length++] == '\n') break;
    }
    int failed = file->failed;
    pthread_mutex_unlock(&file->lock);
    if (length == 0 || failed) return 0;
    line[length] = 0;
    return line;
}

int fputs(const char *text, FILE *stream) {
    size_t length = strlen(text);
    return fwrite(text, 1, length, stream) == length ? 1 : EOF;
}

int fputc(int byte, FILE *stream) {
    unsigned char one = (unsigned char)byte;
    return fwrite(&one, 1, 1, stream) == 1 ? one : EOF;
}

int putc(int byte, FILE *stream) { return fputc(byte, stream); }

int vfprintf(FILE *stream, const char *format, va_list list) {
    if (standard(stream) != NONE) return __everyway_vfprintf(stream, format, list);
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(0, 0, format, again);
    va_end(again);
    char *text = length < 0 ? 0 : malloc((size_t)length + 1);
    if (!text) return -1;
    vsnprintf(text, (size_t)length + 1, format, list);
    size_t written = fwrite(text, 1, length, stream);
    free(text);
    return written == (size_t)length ? length : -1;
}

int fprintf(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}

int vdprintf(int descriptor, const char *format, va_list list) {
    FILE *stream = fdopen(descriptor, "w");
    return stream ? vfprintf(stream, format, list) : -1;
}

int dprintf(int descriptor, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vdprintf(descriptor, format, list);
    va_end(list);
    return length;
}

int fscanf(FILE *stream, const char *format, ...) {
    (void)format;
    if (standard(stream) == NONE) __everyway_refuse("`fscanf` is not modelled for files: read a line and use `sscanf`");
    char nothing;
    __everyway_read(0, &nothing, 1);
    return EOF;
}

int fseeko(FILE *stream, off_t offset, int from) {
    if (standard(stream) != NONE) return fails(ESPIPE);
    struct file *file = opened(stream);
    pthread_mutex_lock(&file->lock);
    off_t result = seek_in(file, offset, from);
    pthread_mutex_unlock(&file->lock);
    return result == -1 ? -1 : 0;
}

int fseek(FILE *stream, long offset, int from) { return fseeko(stream, offset, from); }

off_t ftello(FILE *stream) {
    if (standard(stream) != NONE) return fails(ESPIPE);
    struct file *file = opened(stream);
    pthread_mutex_lock(&file->lock);
    off_t result = file->position - (file->back != NONE);
    pthread_mutex_unlock(&file->lock);
    return result;
}

long ftell(FILE *stream) { return ftello(stream); }

void clearerr(FILE *stream) {
    if (standard(stream) != NONE) return;
    struct file *file = opened(stream);
    pthread_mutex_lock(&file->lock);
    file->at_end = file->failed = 0;
    pthread_mutex_unlock(&file->lock);
}

void rewind(FILE *stream) {
    fseek(stream, 0, SEEK_SET);
    clearerr(stream);
}

/* One of what a stream knows of itself. */
static int mark_of(FILE *stream, int asks_for_end) {
    if (standard(stream) != NONE) return asks_for_end && stream == stdin;
    struct file *file = opened(stream);
    pthread_mutex_lock(&file->lock);
    int result = asks_for_end ? file->at_end : file->failed;
    pthread_mutex_unlock(&file->lock);
    return result;
}

int feof(FILE *stream) { return mark_of(stream, 1); }
int ferror(FILE *stream) { return mark_of(stream, 0); }
