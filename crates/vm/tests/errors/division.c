// bug: division by zero at line 3
int main(int argc, char **argv) {
    return 5 / (argc - 1);
}
