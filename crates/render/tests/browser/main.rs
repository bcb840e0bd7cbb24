//! The page in a real browser, by what a person sees and clicks.
//!
//! Pictures of what was seen are left in `target/page`.

mod driver;
mod pages;
mod spoken;

use std::path::{Path, PathBuf};

use driver::{Browser, key};
use everyway_render::html::{self, SourceFile};
use everyway_report::Report;
use serde_json::{Value, json};

/// Opens the page of `report` in a new window; nothing if the tests of the page are to be left out.
fn open(test: &str, report: &Report, source: &str) -> Option<Browser> {
    let browser = Browser::open()?;
    browser.open_file(&write(test, report, source));
    browser.find(".row.current, #headline");
    Some(browser)
}

fn write(test: &str, report: &Report, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../page");
    std::fs::create_dir_all(&folder).expect("a folder for the page");
    let path = folder.canonicalize().expect("a path of the folder").join(format!("{test}.html"));
    let page = html::render(report, &[SourceFile { name: pages::FILE, text: source }]);
    std::fs::write(&path, page).expect("a file for the page");
    path
}

fn picture(browser: &Browser, name: &str) {
    browser.screenshot(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("../page/{name}.png")));
}

/// The lines of a table, cells apart by bars.
fn table(browser: &Browser, selector: &str) -> Vec<String> {
    let script = format!(
        "return [...document.querySelectorAll('{selector} tbody tr')].map((row) => \
         [...row.cells].map((cell) => cell.innerText).join(' | '))"
    );
    strings(&browser.run(&script))
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

/// The boxes that are in the document, from above.
fn boxes(browser: &Browser) -> Vec<String> {
    strings(&browser.run("return [...document.querySelectorAll('.row .box')].map((box) => box.innerText)"))
}

#[test]
fn the_failing_step_is_in_the_middle() {
    let Some(browser) = open("lost", &pages::lost_update(), pages::SOURCE) else { return };
    assert_eq!(browser.text("h1"), "thread 'main' panicked at src/x.rs:16:9");
    assert!(browser.text("#message").starts_with("assertion failed: an increment is lost"));
    assert_eq!(browser.text(".row.current .box"), "panicked");
    assert_eq!(browser.text("#moment"), "end of 12");
    let middle = browser.run(
        "const [row, view] = ['.row.current', '#scroller'].map((s) => document.querySelector(s).getBoundingClientRect()); \
         return (row.top + row.height / 2 - view.top) / view.height",
    );
    let middle = middle.as_f64().expect("a number");
    assert!((0.3..0.7).contains(&middle), "at {middle}");
    picture(&browser, "lost");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(browser.run("return performance.getEntriesByType('resource').length"), json!(0));
}

#[test]
fn an_execution_that_passes_stands_beside() {
    let Some(browser) = open("beside", &pages::beside(), pages::SOURCE) else { return };
    let why = "why: had `store AtomicU32 #1` of thread 'a' (step 7) come before `load AtomicU32 #1` of thread 'b' (step 6), it \
               would have passed";
    assert!(browser.text("#message").contains(why), "{}", browser.text("#message"));
    browser.click("#row-5 .box");
    // Each picture marks the first step that the other does not have there.
    let spoken = |row: &str| browser.run(&format!("return document.querySelector('{row}').getAttribute('aria-label')"));
    let differs = ", the first step that the other execution does not have here";
    assert_eq!(
        spoken("#lanes .row.differs"),
        json!(format!("step 6, b: load AtomicU32 #1 0, at src/x.rs:10{differs}"))
    );
    assert_eq!(
        spoken("#beside-lanes .row.differs"),
        json!(format!("step 6, a: store AtomicU32 #1 1, at src/x.rs:11{differs}"))
    );
    let widths = "return ['#scroller', '#beside-scroller'].map((s) => document.querySelector(s).clientWidth)";
    let widths: Vec<u64> = browser.run(widths).as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    assert!(widths.iter().all(|&width| width > 200), "{widths:?}");
    picture(&browser, "beside");
    // Its own steps can be looked at.
    browser.click("#beside-row-8 .box");
    assert_eq!(spoken("#beside-lanes .row.current"), json!("step 9, b: store AtomicU32 #1 2, at src/x.rs:11"));
    assert_eq!(browser.text("#moment"), "step 6 of 12");
    browser.click("#show-beside");
    assert_eq!(browser.run("return document.getElementById('beside').hidden"), json!(true));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn keys_slider_buttons_and_clicks_move_the_cursor() {
    let Some(browser) = open("moves", &pages::lost_update(), pages::SOURCE) else { return };
    let moment = || browser.text("#moment");
    browser.press(key::UP);
    assert_eq!(moment(), "step 12 of 12");
    browser.press("k");
    assert_eq!(moment(), "step 11 of 12");
    browser.press(key::HOME);
    assert_eq!(moment(), "start of 12");
    assert_eq!(browser.text("#step"), "Nothing has happened yet.");
    browser.press(key::DOWN);
    assert_eq!(moment(), "step 1 of 12");
    browser.press(key::PAGE_DOWN);
    assert_eq!(moment(), "step 11 of 12");
    browser.press(key::END);
    assert_eq!(moment(), "end of 12");
    browser.click("#previous");
    browser.click("#previous");
    assert_eq!(moment(), "step 11 of 12");
    browser.click("#first");
    assert_eq!(moment(), "start of 12");
    browser.type_into("#slider", key::END);
    assert_eq!(moment(), "end of 12");
    browser.type_into("#slider", key::LEFT);
    assert_eq!(moment(), "step 12 of 12");
    browser.click("#row-4 .box");
    assert_eq!(moment(), "step 5 of 12");
    // By thread, by object.
    browser.press("[");
    assert_eq!(moment(), "step 4 of 12");
    browser.press("]");
    browser.press("o");
    assert_eq!(moment(), "step 6 of 12");
    browser.press("O");
    assert_eq!(moment(), "step 5 of 12");
}

#[test]
fn what_holds_at_a_moment_is_beside_the_picture() {
    let Some(browser) = open("moment", &pages::lost_update(), pages::SOURCE) else { return };
    browser.click("#row-6 .box");
    assert_eq!(browser.text("#step p"), "step 7, a: store AtomicU32 #1 1");
    assert_eq!(
        table(&browser, "#threads-now"),
        ["main | waits for 'a' | ", "a | takes this step | Mutex #1", "b | comes to step 9: store AtomicU32 #1 1 | "]
    );
    assert_eq!(
        table(&browser, "#objects-now"),
        ["AtomicU32 #1 | 1 | step 7", "scratch | 1 | step 4", "'a' |  | main", "Mutex #1 | a | "]
    );
    browser.click("#row-8 .box");
    assert_eq!(browser.text("#step p"), "step 9, b: store AtomicU32 #1 1");
    assert_eq!(browser.text("#step li"), "comes after step 7 of a (store AtomicU32 #1 1)");
    browser.click("#step li button");
    assert_eq!(browser.text("#moment"), "step 7 of 12");
    let here = browser.text(".source-line.here");
    assert!(here.contains("counter.store(read + 1)") && here.contains('a'), "{here}");
    let who =
        strings(&browser.run("return [...document.querySelectorAll('.source-line .who')].map((w) => w.textContent)"));
    assert_eq!(who, ["a", "b", "main"]);
}

#[test]
fn arrows_and_spans_are_drawn() {
    let Some(browser) = open("lines", &pages::lost_update(), pages::SOURCE) else { return };
    let count = |selector: &str| browser.find_all(selector).len();
    assert_eq!(count("#arrows path.edge.start"), 2);
    assert_eq!(count("#arrows path.edge.join"), 2);
    assert_eq!(count("#arrows path.edge.reads-from"), 1);
    assert_eq!(count("#arrows path.edge.conflict"), 2);
    assert_eq!(count("rect.span.holds"), 1);
    assert!(count("rect.span.waits") >= 1);
    // An arrow leads from the side of one box to the side of the other.
    let ends = browser.run(
        "const path = document.querySelector('#arrows path.edge.reads-from'); const svg = document.querySelector('#arrows').getBoundingClientRect(); \
         const [a, b] = [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())]; \
         const at = (p, dx) => document.elementFromPoint(svg.left + p.x + dx, svg.top + p.y)?.closest('.box')?.innerText; \
         return [at(a, 4), at(b, -4)]",
    );
    assert_eq!(ends, json!(["store AtomicU32 #1 1", "load AtomicU32 #1 1"]));
}

#[test]
fn steps_are_searched_filtered_and_folded() {
    let Some(browser) = open("filter", &pages::lost_update(), pages::SOURCE) else { return };
    browser.press("/");
    browser.type_into("#search", "store");
    assert_eq!(browser.text("#found"), "2 steps");
    assert_eq!(browser.find_all(".row.found").len(), 2);
    browser.type_into("#search", key::ENTER);
    assert_eq!((browser.text("#found"), browser.text("#moment")), ("1 of 2 steps".into(), "step 7 of 12".into()));
    browser.type_into("#search", key::ENTER);
    assert_eq!(browser.text("#moment"), "step 9 of 12");
    browser.type_into("#search", key::ESCAPE);

    browser.choose("#object", "Mutex #1");
    assert_eq!(boxes(&browser), ["lock Mutex #1", "unlock Mutex #1", "panicked"]);
    browser.choose("#object", "all");
    browser.click("#threads label:nth-of-type(2) input");
    assert!(boxes(&browser).iter().all(|text| !text.contains("Mutex")), "thread a is hidden");
    assert_eq!(browser.find_all("#heads span").len(), 2);
    browser.click("#threads label:nth-of-type(2) input");

    // What thread a does with its own lock and its own memory is folded.
    assert_eq!(boxes(&browser).len(), 13);
    browser.press("f");
    assert_eq!(boxes(&browser).len(), 12, "{:?}", boxes(&browser));
    assert_eq!(browser.text(".row.folded .box"), "\u{25b8} 2 steps of a");
    browser.click(".row.folded .box");
    assert_eq!(boxes(&browser).len(), 13);
}

#[test]
fn who_waits_for_whom_in_a_deadlock() {
    let Some(browser) = open("deadlock", &pages::deadlock(), pages::SOURCE) else { return };
    assert_eq!(browser.text("h1"), "deadlock: no thread can go on");
    assert_eq!(
        table(&browser, "#threads-now"),
        [
            "main | waits for 'a' | ",
            "a | waits for Mutex #2, held by b | Mutex #1",
            "b | waits for Mutex #1, held by a | Mutex #2",
        ]
    );
    assert_eq!(boxes(&browser)[4..], ["waits in join 'a'", "waits in lock Mutex #2", "waits in lock Mutex #1"]);
    picture(&browser, "deadlock");
    browser.choose("#theme", "dark");
    picture(&browser, "deadlock-dark");
    assert_eq!(browser.run("return getComputedStyle(document.body).backgroundColor"), json!("rgb(22, 24, 28)"));
    browser.choose("#theme", "light");
    assert_eq!(browser.run("return getComputedStyle(document.body).backgroundColor"), json!("rgb(255, 255, 255)"));
}

#[test]
fn nothing_of_the_program_is_anything_but_text() {
    let Some(browser) = open("hostile", &pages::hostile(), pages::HOSTILE) else { return };
    assert_eq!(browser.run("return window.owned ?? null"), Value::Null);
    assert_eq!(browser.run("return document.querySelectorAll('img, iframe, object, script').length"), json!(2));
    assert!(browser.text("h1").contains(pages::HOSTILE));
    browser.press(key::UP);
    // A name that is too long for its box is cut there, and whole where it is spoken.
    let first = &boxes(&browser)[0];
    assert!(first.starts_with(pages::HOSTILE) && first.ends_with(pages::HOSTILE), "{first}");
    let spoken = browser.run("return document.getElementById('row-0').ariaLabel");
    assert!(spoken.as_str().is_some_and(|spoken| spoken.contains(&format!("{0} {0} {0}", pages::HOSTILE))), "{spoken}");
    assert!(browser.text(".source-line.here").contains(pages::HOSTILE));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    // Even if something got in, it would not run.
    browser.run(
        "const script = document.createElement('script'); script.textContent = 'window.owned = 1'; document.body.append(script); \
         const image = document.createElement('div'); image.innerHTML = '<img src=x onerror=\"window.owned = 2\">'; document.body.append(image)",
    );
    assert_eq!(browser.run("return window.owned ?? null"), Value::Null);
    let complaints = browser.complaints();
    assert!(complaints.iter().any(|complaint| complaint.contains("Content Security Policy")), "{complaints:?}");
}

#[test]
fn ten_thousand_steps_stay_smooth() {
    let report = pages::long(10_000);
    let source = pages::SOURCE;
    let size = html::render(&report, &[SourceFile { name: pages::FILE, text: source }]).len();
    assert!(size <= 1_000_000 + source.len(), "{size} bytes");
    let Some(browser) = open("long", &report, source) else { return };
    assert_eq!(browser.text("#moment"), "step 10000 of 10000");
    let elements = || browser.run("return document.querySelectorAll('*').length").as_u64().expect("a number");
    assert!(elements() < 1_500, "{} elements", elements());
    // Milliseconds of a processor for what a person does, with its layout and its picture.
    let key = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }))";
    let scroll = "document.getElementById('scroller').scrollTop = i * 5000";
    let slide =
        "const s = document.getElementById('slider'); s.value = (i * 777) % 10000; s.dispatchEvent(new Event('input'))";
    let search =
        "const s = document.getElementById('search'); s.value = `counter ${i}`; s.dispatchEvent(new Event('input'))";
    let filter =
        "const o = document.getElementById('object'); o.selectedIndex = i % 50; o.dispatchEvent(new Event('change'))";
    let hide = "document.querySelector('#threads label:nth-of-type(2) input').click()";
    let fold = "document.getElementById('fold').click()";
    // What goes on while a hand moves or types takes thirty pictures a second, a jump to elsewhere fifteen, and what is
    // clicked is there at once.
    let (moving, jumping, clicked) = (33.0, 66.0, 100.0);
    let kinds = [
        ("cursor", key, moving),
        ("scroll", scroll, moving),
        ("slider", slide, jumping),
        ("search", search, moving),
        ("filter", filter, clicked),
        ("thread", hide, clicked),
        ("fold", fold, clicked),
    ];
    for (what, does, limit) in kinds {
        let frame = browser.frame(30, does);
        println!("{what}: {frame:.1} ms a picture");
        assert!(frame > 0.0 && frame < limit, "{what}: {frame} ms");
    }
    browser.choose("#object", "all");
    browser.run("const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new Event('input'))");
    browser.run("document.getElementById('last').click()");
    assert!(elements() < 1_500, "{} elements", elements());
    browser.press(key::UP);
    browser.press(key::DOWN);
    assert_eq!(browser.text("#moment"), "step 10000 of 10000");
    assert!(elements() < 1_500, "{} elements", elements());
    picture(&browser, "long");
    browser.type_into("#search", "counter 77 ");
    assert!(browser.text("#found").ends_with("steps"), "{}", browser.text("#found"));
}

#[test]
fn what_a_read_could_have_seen_is_shown() {
    let Some(browser) = open("weak", &pages::store_buffering(), pages::SOURCE) else { return };
    assert_eq!(browser.text("#moment"), "step 4 of 4");
    // Arrows of this step, and of no other.
    assert_eq!(browser.find_all("#arrows path.edge.could-read").len(), 1);
    let step = browser.text("#step");
    let expected = "step 4, b: load x 0\nmemory ordering: relaxed\nat src/x.rs:11\nin Flag::is_set at src/x.rs:11\n\
                    in enter at src/x.rs:15\nmodification order of x:\nthe initial value: read here\n\
                    step 1 of a (store x 1): could have been read";
    assert_eq!(step.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"), expected);
    assert!(browser.text("#legend").contains("could have read"));
    browser.press(key::HOME);
    browser.press(key::DOWN);
    assert_eq!(browser.find_all("#arrows path.edge.could-read").len(), 1, "of the write that could have been read");
    assert!(browser.text("#step").contains("step 1 of a (store x 1): this step"), "{}", browser.text("#step"));
    browser.press(key::END);
    assert_eq!(
        table(&browser, "#objects-now"),
        ["x | 1 | step 1", "y | 1 | step 2"],
        "reads of old values change nothing"
    );
    picture(&browser, "weak");
}

#[test]
fn a_page_about_nothing_says_so() {
    let mut report = pages::deadlock();
    report.bug = None;
    report.verdict = everyway_report::Verdict::Verified;
    report.executions.failed = 0;
    let Some(browser) = open("verified", &report, "") else { return };
    assert_eq!(browser.text("h1"), "verified - everyway");
    assert_eq!(browser.text("#summary"), "verified: 3 executions, none fails (0.01 s)");
    assert!(browser.find_all("#lanes .row").is_empty());
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn several_bugs_have_a_picture_each() {
    let mut report = pages::lost_update();
    report.further_bugs = pages::deadlock().bug.into_iter().collect();
    let Some(browser) = open("several", &report, pages::SOURCE) else { return };
    assert_eq!(browser.text("h1"), "thread 'main' panicked at src/x.rs:16:9");
    browser.choose("#execution", "2: deadlock: no thread can go on");
    assert_eq!(browser.text("h1"), "deadlock: no thread can go on");
    assert_eq!(browser.text("#moment"), "end of 4");
    assert_eq!(boxes(&browser).len(), 7);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
