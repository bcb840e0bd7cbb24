// Streams of the C++ standard library, as far as libstdc++ has them in its binary: its own templates, instantiated here, and
// what is no template. There is one locale, "C"; callbacks, words of streams and files are missing. Compiled with the
// program if it needs more of streams than text and numbers for `cout` and `cerr`.

#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <ctype.h>
#include <iomanip>
#include <istream>
#include <limits>
#include <new>
#include <ostream>
#include <sstream>
#include <system_error>
#include <unistd.h>

extern "C" {
ssize_t __everyway_write(int, const void *, size_t);
ssize_t __everyway_read(int, void *, size_t);
void __everyway_refuse(const char *);
/* What this points to does not change any more. */
void __everyway_seal(void *);
/* What threads do to this at the same time makes no difference to others. */
void __everyway_unobserved(void *);
locale_t __uselocale(locale_t) { return 0; }
}

namespace std {

/* What has no virtual functions and no state worth destroying lies in memory that is set up before the program starts. */
template <class T> union Place {
    char nothing;
    T value;
    Place() : nothing() {}
    ~Place() {}
};

/* The one locale: where its facets are, by their numbers. */
enum { CTYPE, NUMPUNCT, NUM_PUT, NUM_GET, FACETS };
static const locale::facet *facets[FACETS], *caches[FACETS];
static Place<locale::_Impl> the_impl;
static Place<locale> the_locale;
static Place<ctype<char>> the_ctype;
static Place<__numpunct_cache<char>> the_cache;
static Place<numpunct<char>> the_numpunct;
static Place<num_put<char>> the_num_put;
static Place<num_get<char>> the_num_get;

locale::id ctype<char>::id;
const size_t ctype<char>::table_size;

size_t locale::id::_M_id() const throw() {
    // A facet that is not here has a number beyond those that are.
    return _M_index ? _M_index - 1 : size_t(FACETS);
}

locale::locale() throw() : _M_impl(&the_impl.value) {}
locale::locale(const locale &) throw() : _M_impl(&the_impl.value) {}
locale::~locale() throw() {}
const locale &locale::operator=(const locale &) throw() { return *this; }
const locale &locale::classic() { return the_locale.value; }
string locale::name() const { return "C"; }
bool locale::operator==(const locale &) const throw() { return true; }
locale locale::global(const locale &) { return locale(); }
locale::facet::~facet() {}
__c_locale locale::facet::_S_get_c_locale() { return 0; }
void locale::_Impl::_M_install_cache(const facet *, size_t) { __everyway_refuse("facets of locales are not modelled"); }

ctype<char>::ctype(const mask *table, bool del, size_t references)
    : facet(references), _M_c_locale_ctype(0), _M_del(table && del), _M_toupper(0), _M_tolower(0),
      _M_table(table ? table : classic_table()), _M_widen_ok(1), _M_narrow_ok(1) {
    for (int byte = 0; byte < 256; byte++) _M_widen[byte] = _M_narrow[byte] = char(byte);
}
ctype<char>::~ctype() {
    if (_M_del) delete[] _M_table;
}
const ctype_base::mask *ctype<char>::classic_table() throw() { return *__ctype_b_loc(); }
void ctype<char>::_M_widen_init() const {}
void ctype<char>::_M_narrow_init() const {}
char ctype<char>::do_toupper(char c) const { return char(toupper((unsigned char)c)); }
char ctype<char>::do_tolower(char c) const { return char(tolower((unsigned char)c)); }
const char *ctype<char>::do_toupper(char *from, const char *to) const {
    for (; from < to; from++) *from = do_toupper(*from);
    return to;
}
const char *ctype<char>::do_tolower(char *from, const char *to) const {
    for (; from < to; from++) *from = do_tolower(*from);
    return to;
}

const char *__num_base::_S_atoms_out = "-+xX0123456789abcdef0123456789ABCDEF";
const char *__num_base::_S_atoms_in = "-+xX0123456789abcdefABCDEF";

/* The format of `printf` that the flags of a stream stand for. */
void __num_base::_S_format_float(const ios_base &stream, char *format, char modifier) throw() {
    ios_base::fmtflags flags = stream.flags(), field = flags & ios_base::floatfield;
    bool upper = flags & ios_base::uppercase;
    *format++ = '%';
    if (flags & ios_base::showpos) *format++ = '+';
    if (flags & ios_base::showpoint) *format++ = '#';
    if (field != ios_base::floatfield) {
        *format++ = '.';
        *format++ = '*';
    }
    if (modifier) *format++ = modifier;
    char letter = field == ios_base::fixed ? 'f' : field == ios_base::scientific ? 'e' : field ? 'a' : 'g';
    *format++ = upper ? char(letter - 'a' + 'A') : letter;
    *format = 0;
}

bool __verify_grouping(const char *, size_t, const string &) throw() { return true; }

template <class T> static void convert(const char *text, T &value, ios_base::iostate &state) {
    char *end;
    const T most = numeric_limits<T>::max();
    value = T(strtod(text, &end));
    if (end == text || *end) value = 0;
    else if (value > most) value = most;
    else if (value < -most) value = -most;
    else return;
    state = ios_base::failbit;
}
template <> void __convert_to_v(const char *text, float &v, ios_base::iostate &e, const __c_locale &) throw() {
    convert(text, v, e);
}
template <> void __convert_to_v(const char *text, double &v, ios_base::iostate &e, const __c_locale &) throw() {
    convert(text, v, e);
}
template <> void __convert_to_v(const char *text, long double &v, ios_base::iostate &e, const __c_locale &) throw() {
    convert(text, v, e);
}

static void fill(__numpunct_cache<char> &cache) {
    cache._M_grouping = "";
    cache._M_truename = "true";
    cache._M_truename_size = 4;
    cache._M_falsename = "false";
    cache._M_falsename_size = 5;
    cache._M_decimal_point = '.';
    cache._M_thousands_sep = ',';
    memcpy(cache._M_atoms_out, __num_base::_S_atoms_out, __num_base::_S_oend);
    memcpy(cache._M_atoms_in, __num_base::_S_atoms_in, __num_base::_S_iend);
}
template <> void numpunct<char>::_M_initialize_numpunct(__c_locale) { _M_data = &the_cache.value; }
template <> numpunct<char>::~numpunct() {}

/* Streams. */

ios_base::ios_base() throw()
    : _M_precision(), _M_width(), _M_flags(), _M_exception(), _M_streambuf_state(), _M_callbacks(0), _M_word_zero(),
      _M_word_size(_S_local_word_size), _M_word(_M_local_word), _M_ios_locale() {}
ios_base::~ios_base() {}
void ios_base::_M_init() throw() {
    _M_precision = 6;
    _M_width = 0;
    _M_flags = skipws | dec;
    _M_ios_locale = locale();
}
locale ios_base::imbue(const locale &) throw() { return locale(); }
void ios_base::_M_call_callbacks(event) throw() {}
void ios_base::_M_dispose_callbacks() throw() {}
void ios_base::_M_move(ios_base &other) noexcept {
    _M_precision = other._M_precision;
    _M_width = other._M_width;
    _M_flags = other._M_flags;
    _M_exception = other._M_exception;
    _M_streambuf_state = other._M_streambuf_state;
}
void ios_base::_M_swap(ios_base &other) noexcept {
    swap(_M_precision, other._M_precision);
    swap(_M_width, other._M_width);
    swap(_M_flags, other._M_flags);
    swap(_M_exception, other._M_exception);
    swap(_M_streambuf_state, other._M_streambuf_state);
}
bool ios_base::sync_with_stdio(bool) { return true; }

struct stream_errors final : error_category {
    const char *name() const noexcept override { return "iostream"; }
    string message(int value) const override { return value == 1 ? "iostream error" : "Unknown error"; }
};
static Place<stream_errors> the_errors;
const error_category &iostream_category() noexcept { return the_errors.value; }
ios_base::failure::failure(const string &text) : system_error(io_errc::stream, text) {}
ios_base::failure::failure(const string &text, const error_code &code) : system_error(code, text) {}
ios_base::failure::failure(const char *text, const error_code &code) : system_error(code, text) {}
ios_base::failure::~failure() throw() {}
const char *ios_base::failure::what() const throw() { return system_error::what(); }
void __throw_ios_failure(const char *text) { throw ios_base::failure(text); }

template <> streamsize __copy_streambufs_eof(streambuf *from, streambuf *to, bool &ended) {
    streamsize count = 0;
    ended = true;
    for (int c = from->sgetc(); c != EOF; c = from->snextc(), count++)
        if (to->sputc(char(c)) == EOF) {
            ended = false;
            break;
        }
    return count;
}

/* Takes characters until one is `last`, there are none, or `most` have been taken; what has come in the way. */
template <class Take>
static ios_base::iostate take_until(istream &in, bool (*is_last)(int, char), char last, size_t most, Take take) {
    streambuf *buffer = in.rdbuf();
    int c = buffer->sgetc();
    while (most && c != EOF && !is_last(c, last)) {
        take(char(c));
        most--;
        c = buffer->snextc();
    }
    return c == EOF ? ios_base::eofbit : ios_base::goodbit;
}
static bool is_delimiter(int c, char last) { return (char)c == last; }
static bool is_blank_space(int c, char) { return isspace(c); }

template <> istream &operator>>(istream &in, string &text) {
    istream::sentry ready(in, false);
    if (!ready) return in;
    text.erase();
    size_t most = in.width() > 0 ? size_t(in.width()) : text.max_size();
    ios_base::iostate state = take_until(in, is_blank_space, 0, most, [&](char c) { text += c; });
    in.width(0);
    if (text.empty()) state |= ios_base::failbit;
    if (state) in.setstate(state);
    return in;
}

template <> istream &getline(istream &in, string &line, char last) {
    istream::sentry ready(in, true);
    if (!ready) return in;
    line.erase();
    size_t taken = 0;
    ios_base::iostate state = take_until(in, is_delimiter, last, line.max_size(), [&](char c) { line += c, taken++; });
    if (!(state & ios_base::eofbit)) in.rdbuf()->sbumpc();
    else if (!taken) state |= ios_base::failbit;
    if (state) in.setstate(state);
    return in;
}

template <> istream &istream::getline(char *line, streamsize size, char last) {
    _M_gcount = 0;
    sentry ready(*this, true);
    ios_base::iostate state = goodbit;
    if (ready) {
        auto take = [&](char c) { line[_M_gcount++] = c; };
        state = take_until(*this, is_delimiter, last, size > 0 ? size_t(size) - 1 : 0, take);
        if (!(state & eofbit)) {
            if (rdbuf()->sgetc() == (unsigned char)last) _M_gcount++, rdbuf()->sbumpc();
            else if (rdbuf()->sgetc() != EOF) state |= failbit;
            else state |= eofbit;
        }
    }
    bool ended = _M_gcount && !(state & (eofbit | failbit));
    if (size > 0) line[ended ? _M_gcount - 1 : _M_gcount] = 0;
    if (!_M_gcount) state |= failbit;
    if (state) setstate(state);
    return *this;
}

template <> istream &istream::ignore(streamsize count) { return ignore(count, EOF); }
template <> istream &istream::ignore(streamsize count, int last) {
    _M_gcount = 0;
    sentry ready(*this, true);
    while (ready && (_M_gcount < count || count == numeric_limits<streamsize>::max())) {
        int c = rdbuf()->sbumpc();
        if (c == EOF) {
            setstate(eofbit);
            break;
        }
        _M_gcount++;
        if (c == last) break;
    }
    return *this;
}

void __istream_extract(istream &in, char *text, streamsize size) {
    istream::sentry ready(in, false);
    if (!ready) return;
    streamsize taken = 0, width = in.width();
    if (width > 0 && width < size) size = width;
    ios_base::iostate state = take_until(in, is_blank_space, 0, size_t(size - 1), [&](char c) { text[taken++] = c; });
    text[taken] = 0;
    in.width(0);
    if (!taken) state |= ios_base::failbit;
    if (state) in.setstate(state);
}

/* The standard streams, which have no buffer. */
struct Standard : streambuf {
    int descriptor;
    explicit Standard(int descriptor) : descriptor(descriptor) {}
    int overflow(int c) override {
        char one = char(c);
        if (c != EOF) __everyway_write(descriptor, &one, 1);
        return c == EOF ? 0 : c;
    }
    streamsize xsputn(const char *text, streamsize count) override {
        return __everyway_write(descriptor, text, size_t(count));
    }
    int underflow() override {
        char nothing;
        __everyway_read(0, &nothing, 1);
        return EOF;
    }
};

static Place<Standard> buffers[3];
// As the library has them: variables of another type, which lasts longer than any destructor.
typedef char stream_space[sizeof(ostream)] __attribute__((aligned(__alignof__(ostream))));
typedef char input_space[sizeof(istream)] __attribute__((aligned(__alignof__(istream))));
stream_space cout, cerr, clog;
input_space cin;

static void prepare() {
    if (facets[CTYPE]) return;
    ctype<char>::id._M_index = CTYPE + 1;
    numpunct<char>::id._M_index = NUMPUNCT + 1;
    num_put<char>::id._M_index = NUM_PUT + 1;
    num_get<char>::id._M_index = NUM_GET + 1;
    locale::_Impl &impl = the_impl.value;
    impl._M_facets = facets;
    impl._M_facets_size = FACETS;
    impl._M_caches = caches;
    facets[CTYPE] = new (&the_ctype.value) ctype<char>(0, false, 1);
    new (&the_cache.value) __numpunct_cache<char>(1);
    fill(the_cache.value);
    caches[NUMPUNCT] = &the_cache.value;
    facets[NUMPUNCT] = new (&the_numpunct.value) numpunct<char>(&the_cache.value, 1);
    facets[NUM_PUT] = new (&the_num_put.value) num_put<char>(1);
    facets[NUM_GET] = new (&the_num_get.value) num_get<char>(1);
    new (&the_locale.value) locale();
    new (&the_errors.value) stream_errors();
    for (int descriptor = 0; descriptor < 3; descriptor++) new (&buffers[descriptor].value) Standard(descriptor);
    new (&cin) istream(&buffers[0].value);
    new (&cout) ostream(&buffers[1].value);
    new (&cerr) ostream(&buffers[2].value);
    new (&clog) ostream(&buffers[2].value);
    void *constant[] = {facets, caches, &the_impl, &the_locale, &the_ctype, &the_cache, &the_numpunct, &the_num_put,
                        &the_num_get, &the_errors, buffers, &ctype<char>::id, &numpunct<char>::id, &num_put<char>::id,
                        &num_get<char>::id, &__num_base::_S_atoms_out, &__num_base::_S_atoms_in};
    for (void *object : constant) __everyway_seal(object);
    void *standard[] = {&cin, &cout, &cerr, &clog};
    for (void *object : standard) __everyway_unobserved(object);
}
ios_base::Init::Init() { prepare(); }
ios_base::Init::~Init() {}
static ios_base::Init at_start;

/* What the library instantiates. */
template class basic_streambuf<char>;
template class basic_ios<char>;
template class basic_ostream<char>;
template class basic_istream<char>;
template class basic_iostream<char>;
template class __cxx11::basic_stringbuf<char>;
template class __cxx11::basic_ostringstream<char>;
template class __cxx11::basic_istringstream<char>;
template class __cxx11::basic_stringstream<char>;
template class num_put<char>;
template class num_get<char>;
template class __cxx11::numpunct<char>;
template bool has_facet<ctype<char>>(const locale &);
template const ctype<char> &use_facet<ctype<char>>(const locale &);
template const num_put<char> &use_facet<num_put<char>>(const locale &);
template const num_get<char> &use_facet<num_get<char>>(const locale &);
template const numpunct<char> &use_facet<numpunct<char>>(const locale &);
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const string &);
template ostream &__ostream_insert(ostream &, const char *, streamsize);
template ostream &ostream::_M_insert(long);
template ostream &ostream::_M_insert(unsigned long);
template ostream &ostream::_M_insert(bool);
template ostream &ostream::_M_insert(long long);
template ostream &ostream::_M_insert(unsigned long long);
template ostream &ostream::_M_insert(double);
template ostream &ostream::_M_insert(long double);
template ostream &ostream::_M_insert(const void *);
template istream &ws(istream &);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);
template istream &istream::_M_extract(unsigned short &);
template istream &istream::_M_extract(unsigned int &);
template istream &istream::_M_extract(long &);
template istream &istream::_M_extract(unsigned long &);
template istream &istream::_M_extract(bool &);
template istream &istream::_M_extract(long long &);
template istream &istream::_M_extract(unsigned long long &);
template istream &istream::_M_extract(float &);
template istream &istream::_M_extract(double &);
template istream &istream::_M_extract(long double &);
template istream &istream::_M_extract(void *&);
template istream &getline(istream &, string &);
template ostream &operator<<(ostream &, _Setfill<char>);
template ostream &operator<<(ostream &, _Setiosflags);
template ostream &operator<<(ostream &, _Resetiosflags);
template ostream &operator<<(ostream &, _Setbase);
template ostream &operator<<(ostream &, _Setprecision);
template ostream &operator<<(ostream &, _Setw);
template istream &operator>>(istream &, _Setfill<char>);
template istream &operator>>(istream &, _Setiosflags);
template istream &operator>>(istream &, _Resetiosflags);
template istream &operator>>(istream &, _Setbase);
template istream &operator>>(istream &, _Setprecision);
template istream &operator>>(istream &, _Setw);

} // namespace std
