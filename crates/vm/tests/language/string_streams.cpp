// Streams that write and read strings, manipulators, and formats of numbers.
#include <cassert>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

struct Point {
    int x, y;
};
static std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.x << ',' << p.y << ')'; }
static std::istream &operator>>(std::istream &in, Point &p) {
    char open, comma, close;
    return in >> open >> p.x >> comma >> p.y >> close;
}

static void numbers() {
    std::ostringstream out;
    out << std::setw(6) << 42 << '|' << std::left << std::setw(6) << -7 << '|' << std::right << std::setfill('*')
        << std::setw(8) << "text" << std::endl;
    out << std::hex << 255 << ' ' << std::showbase << std::uppercase << 48879 << ' ' << std::oct << 8 << std::dec
        << std::noshowbase << std::nouppercase << '\n';
    out << std::boolalpha << true << ' ' << false << std::noboolalpha << ' ' << true << '\n';
    out << 3.14159265 << ' ' << std::setprecision(3) << 3.14159265 << ' ' << std::fixed << 2.5 << ' '
        << std::scientific << 12345.678 << '\n';
    out.unsetf(std::ios_base::floatfield);
    out << std::showpos << 5 << ' ' << 1.5 << std::noshowpos << ' ' << 1e20 << ' ' << 0.0001f << '\n';
    out << std::setfill(' ') << std::internal << std::setw(6) << -42 << '\n';
    out << static_cast<short>(-3) << ' ' << 7u << ' ' << 1L << ' ' << 123456789012345LL << ' '
        << std::numeric_limits<unsigned long long>::max() << ' ' << std::numeric_limits<long>::min() << '\n';
    std::cout << out.str() << out.tellp() << '\n';
}

static void input() {
    std::istringstream in("12 -34 0x1f 2.5e3 word  another\nsecond line\n\nlast");
    int a, b, c;
    double d;
    std::string word, line;
    in >> a >> b >> std::hex >> c >> std::dec >> d >> word;
    std::cout << a << ' ' << b << ' ' << c << ' ' << d << ' ' << word << '\n';
    while (std::getline(in, line)) std::cout << '[' << line << ']';
    std::cout << in.eof() << in.fail() << in.bad() << '\n';

    std::istringstream bad("x 99999999999");
    int number = 5;
    std::cout << !(bad >> number) << number << bad.fail();
    bad.clear();
    bad.ignore(2);
    bad >> number;
    std::cout << ' ' << number << bad.fail() << '\n';

    std::istringstream points("(1,2)(3,-4) rest");
    Point p;
    while (points >> p) std::cout << p << ' ';
    points.clear();
    char buffer[8];
    points.getline(buffer, sizeof buffer, 's');
    std::cout << buffer << points.peek() << '\n';
    char c1;
    std::istringstream characters("a b");
    characters >> c1;
    std::cout << c1 << char(characters.get()) << char(characters.get()) << characters.get() << '\n';
    std::istringstream flags("1 0 true");
    bool one, zero, word_flag;
    flags >> one >> zero >> std::boolalpha >> word_flag;
    std::cout << one << zero << word_flag << '\n';
}

int main() {
    numbers();
    input();
    std::stringstream both;
    for (int i = 0; i < 5; i++) both << i * i << ' ';
    int sum = 0, next;
    while (both >> next) sum += next;
    std::cout << sum << ' ' << both.str() << '\n';
    both.str("7 8");
    both.clear();
    both >> next;
    std::cout << next << '\n';
    std::ostringstream moved = std::move(std::ostringstream() << "moved ");
    moved << Point{1, 2};
    std::cout << moved.str() << std::setw(5) << 1 << std::setw(5) << "ab" << std::endl;
    try {
        std::istringstream number("none");
        number.exceptions(std::ios::failbit);
        number >> next;
    } catch (const std::ios_base::failure &failure) {
        std::cout << "caught " << (failure.code() == std::io_errc::stream) << '\n';
    }
    std::cerr << std::setw(3) << 1 << "\n";
    return 0;
}
