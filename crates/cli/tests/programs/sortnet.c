// Batcher's odd-even mergesort of 2N elements on N threads, extended from FMCAD 2022, Fig. 1: the comparisons of the
// iterative network are numbered, and comparison c is made by thread c mod N. Whoever needs an element that another thread
// has had waits until that one is done with it, and every comparison is signalled. Source of the counts: FMCAD 2022,
// Table I.
// columns: -DN=4 | 1+312 | 1+312 | 1 | 1
// paper: 1+312 | 1+312 | 1 | 1
// columns: -DN=5 | - | - | 1 | 1
// paper: 1+4517 | 1+4517 | 1 | 1
// columns: -DN=6 | - | - | 1 | 1
// paper: 1+38285 | 1+38285 | 1 | 1
// large columns: -DN=5 | 1+4517 | 1+4517 | 1 | 1
// large columns: -DN=6 | 1+38285 | 1+38285 | 1 | 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ELEMENTS (2 * N)

static int element[ELEMENTS];
// How often each element was compared.
static atomic_int compared[ELEMENTS];

static void sort(int low, int high) {
    if (element[low] > element[high]) {
        int larger = element[low];
        element[low] = element[high];
        element[high] = larger;
    }
}

// What a thread knows of the network: how often each element has been compared so far, and by whom last.
struct plan {
    int times[ELEMENTS];
    int last[ELEMENTS];
};

static void await(struct plan *plan, int index, int own) {
    int times = plan->times[index];
    if (times > 0 && plan->last[index] != own)
        while (atomic_load(&compared[index]) != times)
            ;
}

static void step(struct plan *plan, int low, int high, int whose, int own) {
    if (whose == own) {
        await(plan, low, own);
        await(plan, high, own);
        sort(low, high);
    }
    int indices[] = {low, high};
    for (int i = 0; i < 2; i++) {
        int index = indices[i];
        plan->times[index]++;
        plan->last[index] = whose;
        if (whose == own)
            atomic_store(&compared[index], plan->times[index]);
    }
}

static void *run(void *argument) {
    int own = (int)(long)argument;
    struct plan plan = {{0}, {0}};
    int comparison = 0;
    for (int p = 1; p < ELEMENTS; p *= 2)
        for (int k = p; k >= 1; k /= 2)
            for (int j = k % p; j < ELEMENTS - k; j += 2 * k)
                for (int i = j; i < j + k && i < ELEMENTS - k; i++)
                    if (i / (2 * p) == (i + k) / (2 * p))
                        step(&plan, i, i + k, comparison++ % N, own);
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < ELEMENTS; i++)
        element[i] = ELEMENTS - i;
    for (long id = 0; id < N; id++)
        pthread_create(&thread[id], 0, run, (void *)id);
    for (int id = 0; id < N; id++)
        pthread_join(thread[id], 0);
    for (int i = 1; i < ELEMENTS; i++)
        assert(element[i - 1] <= element[i]);
    return 0;
}
