// Shortest ways through a maze, by breadth; connected parts by union and find; topological order.
#include <stdio.h>
#include <string.h>

enum { W = 11, H = 7 };
static char maze[H][W + 1] = {"###########", "#S..#.....#", "###.#.###.#", "#...#.#...#", "#.###.#.###", "#.......#E#", "###########"};
static int distance[H][W];
static const struct { signed char x, y; } steps[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

static int search(int x, int y) {
    struct { short x, y; } queue[H * W];
    int head = 0, tail = 0, reached = 0;
    memset(distance, -1, sizeof distance);
    distance[y][x] = 0;
    queue[tail].x = (short)x, queue[tail++].y = (short)y;
    while (head < tail) {
        x = queue[head].x, y = queue[head++].y;
        reached++;
        for (int s = 0; s < 4; s++) {
            int nx = x + steps[s].x, ny = y + steps[s].y;
            if (maze[ny][nx] == '#' || distance[ny][nx] >= 0) continue;
            distance[ny][nx] = distance[y][x] + 1;
            queue[tail].x = (short)nx, queue[tail++].y = (short)ny;
        }
    }
    return reached;
}

static int parent[12];
static int find(int n) { return parent[n] == n ? n : (parent[n] = find(parent[n])); }

int main(void) {
    printf("%d\n", search(1, 1));
    for (int y = 0; y < H; y++, putchar('\n'))
        for (int x = 0; x < W; x++) printf("%3d", distance[y][x]);
    for (int i = 0; i < 12; i++) parent[i] = i;
    int edges[][2] = {{0, 1}, {2, 3}, {1, 3}, {5, 6}, {7, 5}, {8, 9}, {9, 10}, {6, 10}};
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) parent[find(edges[i][0])] = find(edges[i][1]);
    for (int i = 0; i < 12; i++) printf("%d ", find(i));
    printf("\n");
    return 0;
}
