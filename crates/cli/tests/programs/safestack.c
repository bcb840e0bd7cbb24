// SafeStack: a lock-free stack of three cells, with a bug that takes five changes of threads to show. Threads perform
// A, B and C operations, pops and pushes by turns. Source of the counts: FMCAD 2022, Table II.
// columns: -DA=2 -DB=1 -DC=0 --unroll 3 --allow=livelocks | 119+6 | 34+2 | 34+1 | 19+1
// paper: 119+6 | 34+2 | 34+1 | 19+1
// columns: -DA=3 -DB=1 -DC=0 --unroll 3 --allow=livelocks | 928+107 | 103+27 | 103+25 | 56+25
// paper: 928+107 | 103+27 | 103+25 | 56+25
// columns: -DA=3 -DB=2 -DC=0 --allow=livelocks | - | - | - | 463+12
// columns: -DA=2 -DB=1 -DC=1 --allow=livelocks | - | - | - | 962+686
// large columns: -DA=3 -DB=2 -DC=0 --unroll 3 --allow=livelocks | 7189+296 | 1073+27 | 1073+12 | 463+12
// paper: 7189+296 | 1073+27 | 1073+12 | 463+12
// large columns: -DA=3 -DB=3 -DC=0 --unroll 3 --allow=livelocks | 121334+12652 | 6434+1636 | 6434+1584 | 2600+1160
// paper: 121334+12652 | 6434+1636 | 6434+1584 | 2600+1160
// large columns: -DA=2 -DB=1 -DC=1 --allow=livelocks | - | 2690+1126 | 2690+928 | 962+686
// paper: 1259280+324382 | 2690+1126 | 2690+928 | 962+686
// large columns: -DA=3 -DB=1 -DC=1 --allow=livelocks | - | 0+26536 | 0+24078 | 0+14960
// paper: - | 0+26536 | 0+24078 | 0+14960
// large columns: -DA=3 -DB=2 -DC=1 --allow=livelocks | - | 906529+388117 | 906529+331337 | 288057+216830
// paper: - | 906529+388117 | 906529+331337 | 288057+216830
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    int value;
    atomic_int next;
} cell[3] = {{0, 1}, {0, 2}, {0, -1}};

static atomic_int head, count = 3;

static int pop(void) {
    while (atomic_load(&count) > 1) {
        int first = atomic_load(&head);
        int next = atomic_exchange(&cell[first].next, -1);
        if (next >= 0) {
            int expected = first;
            if (atomic_compare_exchange_strong(&head, &expected, next)) {
                atomic_fetch_sub(&count, 1);
                return first;
            }
            atomic_exchange(&cell[first].next, next);
        }
    }
    return -1;
}

static void push(int index) {
    int first;
    do {
        first = atomic_load(&head);
        atomic_store(&cell[index].next, first);
    } while (!atomic_compare_exchange_strong(&head, &first, index));
    atomic_fetch_add(&count, 1);
}

struct task {
    int id;
    int operations;
};

static void *perform(void *argument) {
    struct task *task = argument;
    int index = -1;
    for (int i = 0; i < task->operations; i++) {
        if (i % 2 == 0) {
            do
                index = pop();
            while (index < 0);
            cell[index].value = task->id;
            assert(cell[index].value == task->id);
        } else {
            push(index);
        }
    }
    return 0;
}

int main(void) {
    static struct task tasks[] = {{0, A}, {1, B}, {2, C}};
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        if (tasks[i].operations)
            pthread_create(&thread, 0, perform, &tasks[i]);
    return 0;
}
