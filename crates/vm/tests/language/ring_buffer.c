// A ring buffer with indices that wrap around, of bytes and of structs.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SIZE = 8 };
struct event { uint16_t time; char kind; };
struct ring { uint8_t head, tail; struct event slots[SIZE]; };

static bool push(struct ring *r, struct event e) {
    if ((uint8_t)(r->head - r->tail) == SIZE) return false;
    r->slots[r->head++ % SIZE] = e;
    return true;
}

static bool pop(struct ring *r, struct event *e) {
    if (r->head == r->tail) return false;
    *e = r->slots[r->tail++ % SIZE];
    return true;
}

int main(void) {
    struct ring r = {250, 250, {{0, 0}}};
    unsigned pushed = 0, refused = 0, popped = 0, sum = 0;
    struct event e;
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i <= round % 5; i++) {
            if (push(&r, (struct event){(uint16_t)(round * 1000 + i), (char)('a' + i)})) pushed++;
            else refused++;
        }
        for (unsigned i = 0; i <= round % 3; i++)
            if (pop(&r, &e)) popped++, sum += e.time + (unsigned)e.kind;
    }
    printf("%u %u %u %u %d %d\n", pushed, refused, popped, sum, r.head, r.tail);
    while (pop(&r, &e)) printf("%u%c ", e.time, e.kind);
    printf("\n");
    return 0;
}
