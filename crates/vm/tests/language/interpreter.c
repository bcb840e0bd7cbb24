// A virtual machine with registers, memory, calls and conditional jumps.
#include <stdint.h>
#include <stdio.h>

enum op { HALT, LOAD, MOVE, ADD, SUB, MUL, LESS, JUMP, JUMP_IF, STORE, FETCH, CALL, RETURN, PRINT };
struct instruction { uint8_t op, a, b, c; };
struct machine { int32_t r[8]; int32_t memory[32]; uint16_t pc, stack[16], sp; unsigned steps; };
#define I(op, a, b, c) ((struct instruction){op, a, b, c})

static void run(struct machine *m, const struct instruction *code) {
    for (;; m->steps++) {
        struct instruction i = code[m->pc++];
        switch ((enum op)i.op) {
        case HALT: return;
        case LOAD: m->r[i.a] = (int8_t)i.b; break;
        case MOVE: m->r[i.a] = m->r[i.b]; break;
        case ADD: m->r[i.a] = m->r[i.b] + m->r[i.c]; break;
        case SUB: m->r[i.a] = m->r[i.b] - m->r[i.c]; break;
        case MUL: m->r[i.a] = m->r[i.b] * m->r[i.c]; break;
        case LESS: m->r[i.a] = m->r[i.b] < m->r[i.c]; break;
        case JUMP: m->pc = i.a; break;
        case JUMP_IF: if (m->r[i.a]) m->pc = i.b; break;
        case STORE: m->memory[m->r[i.a]] = m->r[i.b]; break;
        case FETCH: m->r[i.a] = m->memory[m->r[i.b]]; break;
        case CALL: m->stack[m->sp++] = m->pc; m->pc = i.a; break;
        case RETURN: m->pc = m->stack[--m->sp]; break;
        case PRINT: printf("%d\n", m->r[i.a]); break;
        }
    }
}

int main(void) {
    const struct instruction code[] = {
        I(LOAD, 0, 0, 0), I(LOAD, 1, 1, 0), I(LOAD, 2, 10, 0),            // 0: counter, one, limit
        I(CALL, 9, 0, 0), I(STORE, 0, 3, 0), I(ADD, 0, 0, 1),             // 3: memory[r0] = square(r0)
        I(LESS, 4, 0, 2), I(JUMP_IF, 4, 3, 0), I(JUMP, 11, 0, 0),         // 6: loop
        I(MUL, 3, 0, 0), I(RETURN, 0, 0, 0),                              // 9: square
        I(LOAD, 5, 0, 0), I(SUB, 0, 0, 1), I(FETCH, 3, 0, 0), I(ADD, 5, 5, 3),
        I(LOAD, 6, 0, 0), I(LESS, 4, 6, 0), I(JUMP_IF, 4, 12, 0), I(PRINT, 5, 0, 0),
        I(LOAD, 7, 0x80, 0), I(PRINT, 7, 0, 0), I(HALT, 0, 0, 0),
    };
    struct machine m = {.pc = 0};
    run(&m, code);
    printf("%u %d %d\n", m.steps, m.memory[9], m.sp);
    return 0;
}
