//! The colours of the page: what is text can be read, what is drawn can be seen, and what means something else looks
//! different, to the colour-blind, too.
//!
//! Contrast is that of WCAG 2.1: 4.5 for text (1.4.3, level AA), 3 for what is drawn (1.4.11). How the colour-blind see a
//! colour is simulated as by Machado, Oliveira and Fernandes (A Physiologically-based Model for Simulation of Color
//! Vision Deficiency, 2009, severity 1.0). Distances are those of CIE 1976, in which 2.3 can just be noticed.

use std::collections::BTreeMap;

const STYLE: &str = include_str!("../../src/html/page.css");

/// Text, and what it is on.
const TEXT: [(&str, &str); 28] = [
    ("ink", "page"),
    ("ink", "raised"),
    ("ink", "box"),
    ("ink", "current-ground"),
    ("ink", "fails-ground"),
    ("ink", "found"),
    ("faint", "page"),
    ("faint", "raised"),
    ("faint", "box"),
    ("faint", "current-ground"),
    ("faint", "found"),
    ("holds-ink", "holds"),
    ("shares-ink", "shares"),
    ("waits-ink", "waits-ground"),
    ("fails", "page"),
    ("fails", "raised"),
    ("fails", "current-ground"),
    ("current", "page"),
    ("current", "current-ground"),
    ("value", "page"),
    ("value", "box"),
    ("value", "raised"),
    ("value", "found"),
    ("value", "fails-ground"),
    ("value", "current-ground"),
    ("page", "ink"),
    ("page", "current"),
    ("page", "fails"),
];

/// Lines, bars and marks; all of them are on the page and on the row of the cursor.
const DRAWN: [&str; 9] =
    ["holds", "waits", "fails", "current", "reads-from", "synchronises", "start", "conflict", "could-read"];

type Colour = [f64; 3];

/// The colours of the light and the dark page, by name, as amounts of light.
fn themes() -> [BTreeMap<&'static str, Colour>; 2] {
    let blocks: Vec<&str> = STYLE.split('{').filter(|block| block.contains("--page:")).collect();
    assert_eq!(blocks.len(), 3, "light, dark, and dark because the system is");
    let colours = blocks.iter().map(|block| block.split('}').next().expect("a block").split(';'));
    let theme = |lines: std::str::Split<'static, char>| {
        let defined = lines.filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"));
        defined.map(|(name, digits)| (name, colour(digits))).collect::<BTreeMap<_, _>>()
    };
    let [light, dark, dark_by_system] = colours.map(theme).collect::<Vec<_>>().try_into().expect("three");
    assert_eq!(dark, dark_by_system);
    [light, dark]
}

fn colour(digits: &str) -> Colour {
    let digits: String =
        if digits.len() == 3 { digits.chars().flat_map(|digit| [digit, digit]).collect() } else { digits.to_owned() };
    [0, 2, 4].map(|place| {
        let part = f64::from(u8::from_str_radix(&digits[place..place + 2], 16).expect("a colour")) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

fn luminance([red, green, blue]: Colour) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: Colour, other: Colour) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// How the matrices of the paper have colours seen: by most, with protanopia, deuteranopia and tritanopia.
const EYES: [(&str, [[f64; 3]; 3]); 4] = [
    ("most", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    (
        "deuteranopia",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    ("tritanopia", [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
];

/// The colour in CIE Lab, under the white of sRGB.
fn lab(light: Colour) -> Colour {
    let [red, green, blue] = light;
    let part = |weights: Colour, white: f64| {
        let part = (weights[0] * red + weights[1] * green + weights[2] * blue) / white;
        if part > 216.0 / 24389.0 { part.cbrt() } else { (24389.0 / 27.0 * part + 16.0) / 116.0 }
    };
    let x = part([0.4124, 0.3576, 0.1805], 0.9505);
    let y = part([0.2126, 0.7152, 0.0722], 1.0);
    let z = part([0.0193, 0.1192, 0.9505], 1.089);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// How different two colours look, and to whom they look most alike.
fn difference(one: Colour, other: Colour) -> (f64, &'static str) {
    let seen = |colour: Colour, matrix: [[f64; 3]; 3]| {
        lab(matrix.map(|row| row.iter().zip(colour).map(|(weight, part)| weight * part).sum::<f64>().clamp(0.0, 1.0)))
    };
    let distance = |matrix| {
        let (one, other) = (seen(one, matrix), seen(other, matrix));
        one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
    };
    EYES.map(|(eyes, matrix)| (distance(matrix), eyes)).into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("four")
}

#[test]
fn the_measures_are_those_of_the_standards() {
    // Black on white is 21; #767676 is the lightest grey that can be read on white (WCAG, technique G18).
    assert_eq!(contrast(colour("000"), colour("fff")), 21.0);
    assert!(contrast(colour("767676"), colour("fff")) >= 4.5 && contrast(colour("777777"), colour("fff")) < 4.5);
    // White is 100, 0, 0; pure red is 53.2, 80.1, 67.2.
    let red = lab(colour("f00")).map(f64::round);
    assert_eq!((lab(colour("fff"))[0].round(), red), (100.0, [53.0, 80.0, 67.0]));
    // Red and green of the same brightness are alike to those who lack the green cones.
    let (distance, eyes) = difference(colour("b06050"), colour("758350"));
    assert!(distance < 20.0 && eyes == "deuteranopia", "{distance} {eyes}");
}

#[test]
fn text_can_be_read() {
    for (theme, colours) in themes().iter().enumerate() {
        for (text, ground) in TEXT {
            let contrast = contrast(colours[text], colours[ground]);
            assert!(contrast >= 4.5, "{text} on {ground}, theme {theme}: {contrast:.2}");
        }
    }
}

#[test]
fn what_is_drawn_can_be_seen() {
    for (theme, colours) in themes().iter().enumerate() {
        for (drawn, ground) in DRAWN.iter().flat_map(|drawn| [(drawn, "page"), (drawn, "current-ground")]) {
            let contrast = contrast(colours[drawn], colours[ground]);
            assert!(contrast >= 3.0, "{drawn} on {ground}, theme {theme}: {contrast:.2}");
        }
    }
}

/// How the lines of a kind are broken.
fn pattern(kind: &str) -> &'static str {
    let rule = STYLE.lines().find(|line| {
        let selectors = line.split('{').next().unwrap_or_default();
        selectors.split(", ").any(|selector| selector.trim() == format!(".edge.{kind}"))
    });
    let rule = rule.unwrap_or_else(|| panic!("no line for {kind}"));
    rule.split_once("stroke-dasharray: ").map_or("whole", |(_, pattern)| pattern.split(';').next().unwrap_or_default())
}

#[test]
fn what_means_something_else_looks_different_to_everybody() {
    let lines = ["reads-from", "synchronises", "start", "conflict", "could-read"];
    let pairs =
        lines.iter().enumerate().flat_map(|(place, one)| lines[..place].iter().map(move |other| (*one, *other)));
    // Lines that are broken in different ways are told apart by that.
    let alike = pairs.filter(|(one, other)| pattern(one) == pattern(other));
    let others = [
        ("holds", "shares"),
        ("holds", "waits-ground"),
        ("shares", "waits-ground"),
        ("fails", "value"),
        ("fails", "current"),
    ];
    let told_apart: Vec<_> = alike.chain(others).collect();
    assert!(told_apart.contains(&("synchronises", "reads-from")), "both are whole lines");
    for (theme, colours) in themes().iter().enumerate() {
        for &(one, other) in &told_apart {
            let (distance, eyes) = difference(colours[one], colours[other]);
            assert!(distance >= 20.0, "{one} and {other}, theme {theme}: {distance:.1} ({eyes})");
        }
    }
}
