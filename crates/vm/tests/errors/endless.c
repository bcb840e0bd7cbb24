// bug: step limit
int main(void) {
    volatile int x = 0;
    while (1)
        x++;
}
