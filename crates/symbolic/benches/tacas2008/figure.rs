//! Two charts side by side with a logarithmic vertical axis, as SVG.

use std::fmt::Write;

/// What is drawn of one reduction: points of depth and value.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    pub(crate) seconds: Vec<(f64, f64)>,
    pub(crate) conflicts: Vec<(f64, f64)>,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const MARGIN: f64 = 60.0;
const COLOURS: [&str; 4] = ["#888888", "#d95f02", "#1b9e77", "#7570b3"];

/// The times on the left, the conflicts on the right.
pub(crate) fn svg(curves: &[Curve]) -> String {
    let whole = 2.0 * (WIDTH + MARGIN);
    let tall = HEIGHT + 2.0 * MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {tall}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let seconds: Vec<_> = curves.iter().map(|curve| (curve.name, &curve.seconds)).collect();
    let conflicts: Vec<_> = curves.iter().map(|curve| (curve.name, &curve.conflicts)).collect();
    chart(&mut text, MARGIN, "seconds", &seconds);
    chart(&mut text, 2.0 * MARGIN + WIDTH - 20.0, "conflicts", &conflicts);
    text.push_str("</svg>\n");
    text
}

fn chart(text: &mut String, left: f64, what: &str, curves: &[(&str, &Vec<(f64, f64)>)]) {
    let points = || curves.iter().flat_map(|(_, points)| points.iter());
    let floor = points().map(|point| point.1.max(1e-3)).fold(f64::INFINITY, f64::min).log10().floor();
    let top = points().map(|point| point.1.max(1e-3)).fold(1e-3, f64::max).log10().ceil().max(floor + 1.0);
    let deepest = points().map(|point| point.0).fold(1.0, f64::max);
    let (bottom, width) = (MARGIN + HEIGHT, WIDTH - MARGIN);
    let x = |depth: f64| left + depth / deepest * width;
    let y = |value: f64| bottom - (value.max(1e-3).log10() - floor) / (top - floor) * HEIGHT;
    // Writing to text does not fail.
    let _ = writeln!(
        text,
        "<path d=\"M{left} {MARGIN}V{bottom}H{}\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"{left}\" y=\"{}\">{what}</text><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">depth</text>",
        left + width,
        MARGIN - 15.0,
        left + width / 2.0,
        bottom + 40.0,
    );
    for power in floor as i32..=top as i32 {
        let at = y(10f64.powi(power));
        let _ = writeln!(text, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">1e{power}</text>", left - 6.0, at + 4.0);
    }
    for depth in (1..=8).map(|step| f64::from(step) * 15.0).filter(|depth| *depth <= deepest) {
        let _ =
            writeln!(text, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{depth}</text>", x(depth), bottom + 18.0);
    }
    for (index, (name, points)) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let line: Vec<String> = points.iter().map(|point| format!("{:.1},{:.1}", x(point.0), y(point.1))).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name}</text>",
            line.join(" "),
            left + width - 60.0,
            bottom - 70.0 + 16.0 * index as f64,
        );
    }
}
