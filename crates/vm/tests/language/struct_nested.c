// Structs in structs, assignment of whole structs, and arrays of them.
#include <stdio.h>

struct point { int x, y; };
struct rect { struct point from, to; };
struct scene { char name[8]; struct rect parts[3]; int count; };

static int area(const struct rect *r) {
    return (r->to.x - r->from.x) * (r->to.y - r->from.y);
}

int main(void) {
    struct scene scene = {"house", {{{0, 0}, {10, 5}}, {{1, 1}, {3, 4}}}, 2};
    scene.parts[scene.count++] = (struct rect){.from = {5, 6}, .to = {9, 10}};
    struct scene copy = scene;
    copy.parts[1].to.x += 100;
    copy.name[0] = 'm';
    for (int i = 0; i < scene.count; i++)
        printf("%s %d: %d, %s %d: %d\n", scene.name, i, area(&scene.parts[i]), copy.name, i, area(&copy.parts[i]));
    struct point *p = &scene.parts[0].from;
    p->x = 7;
    struct rect swapped = {scene.parts[0].to, scene.parts[0].from};
    printf("%d %d %d %d\n", swapped.from.x, swapped.from.y, swapped.to.x, swapped.to.y);
    scene.parts[0] = scene.parts[2];
    printf("%d %d\n", scene.parts[0].from.x, scene.parts[0].to.y);
    return 0;
}
