// bug: out of bounds at line 5: 4 bytes at offset 12 of a, which has 12 bytes
int main(int argc, char **argv) {
    int a[3] = {1, 2, 3};
    int i = argc + 2;
    return a[i];
}
