//! The page for those who have it read to them, who use no mouse, or who see little: what the browser tells assistive
//! technology, and whether what is shown can be read.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::driver::{Browser, key};
use crate::{open, pages};

/// What the browser tells screen readers, in the order in which they read: role and name, those without a name left out.
fn tree(browser: &Browser) -> Vec<(String, String)> {
    let answer = browser.command("Accessibility.getFullAXTree", json!({}));
    let nodes = answer["nodes"].as_array().expect("a list");
    let by_id: BTreeMap<&str, &Value> =
        nodes.iter().filter_map(|node| Some((node["nodeId"].as_str()?, node))).collect();
    let mut read = Vec::new();
    let mut stack = vec![&nodes[0]];
    while let Some(node) = stack.pop() {
        let text = |field: &str| node[field]["value"].as_str().unwrap_or_default().to_owned();
        if node["ignored"] != json!(true) && !text("name").is_empty() {
            read.push((text("role"), text("name")));
        }
        let children = node["childIds"].as_array().into_iter().flatten();
        let children: Vec<&Value> = children.filter_map(|id| by_id.get(id.as_str()?).copied()).collect();
        stack.extend(children.into_iter().rev());
    }
    read
}

#[test]
fn the_page_is_read_in_the_order_in_which_it_is_told() {
    let Some(browser) = open("read", &pages::beside(), pages::SOURCE) else { return };
    let read = tree(&browser);
    let told: Vec<String> = read.iter().map(|(role, name)| format!("{role}: {name}")).collect();
    let expected = [
        "heading: thread 'main' panicked at src/x.rs:16:9",
        "combobox: Theme",
        "StaticText: assertion failed: an increment is lost",
        "form: What is shown",
        "button: to the start",
        "button: one step back",
        "slider: Moment of the execution",
        "button: one step forward",
        "button: to the end",
        "searchbox: Search",
        "combobox: Object",
        "checkbox: fold what has no part in it",
        "checkbox: beside one that passes",
        "group: Threads",
        "checkbox: main",
        "region: Execution",
        "listbox: Steps of the execution, in order",
        "option: step 1, main: spawn a, at src/x.rs:5",
        "option: step 2, main: spawn b, at src/x.rs:12",
        "option: step 12, main: load AtomicU32 #1 1, at src/x.rs:16",
        "region: An execution that passes",
        "listbox: Steps of an execution that passes, in order",
        "list: What lines and bars mean",
        "complementary: At this moment",
        "region: Step",
        "region: Threads",
        "columnheader: thread",
        "columnheader: state",
        "columnheader: holds",
        "region: Shared objects",
        "columnheader: object",
        "region: Source",
        "combobox: File",
    ];
    let mut rest = told.iter();
    for line in expected {
        assert!(rest.any(|told| told == line), "no {line}, or not there, in {told:#?}");
    }
    // Nothing that can be used has no name, and pictures that are told in words besides are not read.
    let nameless = browser.run(
        "return [...document.querySelectorAll('button, input, select, summary, [tabindex]')].filter((e) => e.checkVisibility() && \
         !(e.labels?.length || e.ariaLabel || e.innerText || e.title)).map((e) => e.outerHTML)",
    );
    assert_eq!(nameless, json!([]));
    assert!(!read.iter().any(|(role, _)| role == "image" || role.starts_with("Svg")), "{told:#?}");
}

#[test]
fn steps_of_which_only_some_are_there_have_their_places() {
    let Some(browser) = open("places", &pages::long(10_000), pages::SOURCE) else { return };
    let places =
        "return [...document.querySelectorAll('#lanes .row')].map((row) => [row.ariaPosInSet, row.ariaSetSize])";
    let places = browser.run(places);
    let places: Vec<(u64, u64)> = places
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|pair| {
            let number = |place: usize| pair[place].as_str()?.parse().ok();
            Some((number(0)?, number(1)?))
        })
        .collect();
    assert!(places.len() > 10 && places.is_sorted(), "in the order of the execution: {places:?}");
    assert!(places.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0), "{places:?}");
    assert!(places.iter().all(|(_, all)| *all == places[0].1), "{places:?}");
}

/// What is announced without being asked for.
fn announced(browser: &Browser) -> Value {
    browser.run("return document.getElementById('live').textContent")
}

#[test]
fn the_cursor_is_spoken_once() {
    let Some(browser) = open("spoken", &pages::lost_update(), pages::SOURCE) else { return };
    assert_eq!(browser.spoken("#lanes"), ("listbox".into(), "Steps of the execution, in order".into()));
    let step = "step 7, a: store AtomicU32 #1 1, at src/x.rs:11";
    assert_eq!(browser.spoken("#row-6"), ("option".into(), step.into()));
    // In the list, the option that is reached is read.
    browser.click("#row-6 .box");
    let active = "return document.getElementById('lanes').getAttribute('aria-activedescendant')";
    assert_eq!((browser.run(active), announced(&browser)), (json!("row-6"), json!("")));
    assert_eq!(browser.run("return document.activeElement.id"), json!("lanes"));
    // The slider has the words for its value.
    browser.type_into("#slider", key::LEFT);
    let value = "return document.getElementById('slider').getAttribute('aria-valuetext')";
    let before = "step 6, b: load AtomicU32 #1 0, at src/x.rs:10";
    assert_eq!((browser.run(value), announced(&browser)), (json!(before), json!("")));
    // A button cannot say it; the page does.
    browser.click("#next");
    assert_eq!(announced(&browser), json!(step));
    let live = browser.run(
        "return [...document.querySelectorAll('output, [aria-live], [role=status]')].filter((e) => e.ariaLive !== 'off').map((e) => e.id)",
    );
    assert_eq!(live, json!(["found", "live"]), "nothing else is spoken at every step");
    // At the end the button keeps the focus.
    browser.click("#last");
    browser.click("#next");
    assert_eq!(
        browser.run("return [document.activeElement.id, document.activeElement.ariaDisabled]"),
        json!(["next", "true"])
    );
}

#[test]
fn letters_are_no_keys_for_those_who_speak_to_their_computer() {
    let Some(browser) = open("letters", &pages::lost_update(), pages::SOURCE) else { return };
    browser.click("#keys summary");
    browser.click("#letters");
    browser.click("#row-6 .box");
    browser.press("k");
    assert_eq!(browser.text("#moment"), "step 7 of 12");
    browser.press(key::UP);
    assert_eq!(browser.text("#moment"), "step 6 of 12");
}

/// Texts that can be seen and are not at least 4.5 times as bright or as dark as what is behind them (WCAG 2.1, 1.4.3).
const UNREADABLE: &str = "
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => colour.slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
    const behind = (e) => {
      for (; e; e = e.parentElement) {
        const ground = numbers(getComputedStyle(e).backgroundColor);
        if (ground.length === 3 || ground[3] === 1) return ground;
        if (ground[3] > 0) throw `half of a ground: ${e.outerHTML}`;
      }
      throw 'no ground';
    };
    const bad = [];
    let seen = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const e = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent.trim();
      const isOff = e.closest('[aria-disabled=true], .unseen, svg, noscript, script, style, option');
      if (text === '' || isOff || !e.checkVisibility()) continue;
      for (let up = e; up; up = up.parentElement) if (getComputedStyle(up).opacity !== '1') throw `half seen: ${up.outerHTML}`;
      const [one, other] = [light(numbers(getComputedStyle(e).color)), light(behind(e))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      seen++;
      if (contrast < 4.5) bad.push(`${text}: ${contrast.toFixed(2)}`);
    }
    return [seen > 60, bad];
";

#[test]
fn all_texts_can_be_read() {
    for theme in ["light", "dark"] {
        for (name, report) in
            [("beside", pages::beside()), ("deadlock", pages::deadlock()), ("weak", pages::store_buffering())]
        {
            let Some(browser) = open(&format!("{name}-{theme}"), &report, pages::SOURCE) else { return };
            browser.choose("#theme", theme);
            for moment in [key::END, key::HOME] {
                browser.press(moment);
                assert_eq!(browser.run(UNREADABLE), json!([true, []]), "{name}, {theme}");
            }
            browser.click("#first");
            browser.click("#next");
            browser.run("document.getElementById('search').value = 'o'; document.getElementById('search').dispatchEvent(new Event('input'))");
            assert_eq!(browser.run(UNREADABLE), json!([true, []]), "{name}, {theme}, some found");
        }
    }
}
