// bug: out of bounds at line 5: an index is outside of the bounds of its array
int main(int argc, char **argv) {
    int a[3] = {1, 2, 3};
    int i = argc + 2;
    return a[i];
}
