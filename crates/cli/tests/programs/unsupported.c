// An external function that nobody models.
// check:
// verdict: error
// message: launch_missiles
int launch_missiles(int);

int main(void) {
    return launch_missiles(3); // <- bug
}
