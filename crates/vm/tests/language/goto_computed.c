// Labels as values: a threaded interpreter.
#include <stdio.h>

enum { PUSH, ADD, MULTIPLY, DUPLICATE, PRINT, DECREMENT, JUMP_IF, STOP };

static int run(const int *code) {
    static void *const labels[] = {&&push, &&add, &&multiply, &&duplicate, &&print, &&decrement, &&jump_if, &&stop};
    int stack[16], top = 0, steps = 0;
    const int *pc = code;
#define NEXT do { steps++; goto *labels[*pc++]; } while (0)
    NEXT;
push: stack[top++] = *pc++; NEXT;
add: top--; stack[top - 1] += stack[top]; NEXT;
multiply: top--; stack[top - 1] *= stack[top]; NEXT;
duplicate: stack[top] = stack[top - 1]; top++; NEXT;
print: printf("%d\n", stack[top - 1]); NEXT;
decrement: stack[top - 1]--; NEXT;
jump_if: { int target = *pc++; if (stack[top - 1]) pc = code + target; } NEXT;
stop: return steps;
}

int main(void) {
    const int arithmetic[] = {PUSH, 6, PUSH, 7, MULTIPLY, PRINT, DUPLICATE, ADD, PRINT, STOP};
    const int loop[] = {PUSH, 5, PRINT, DECREMENT, JUMP_IF, 2, STOP};
    printf("%d\n", run(arithmetic));
    printf("%d\n", run(loop));
    return 0;
}
