// bug: out of bounds at line 5: the index 3 is outside of the bounds of an array of type `int[3]`
int main(int argc, char **argv) {
    int a[3] = {1, 2, 3};
    int i = argc + 2;
    return a[i];
}
