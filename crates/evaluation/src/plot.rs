//! Charts with a logarithmic vertical axis, as SVG.

use std::fmt::Write;

/// A curve: what it is of, and its points.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A chart: what is on its axes.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) horizontal: &'static str,
    pub(crate) vertical: &'static str,
    pub(crate) curves: Vec<Curve>,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 280.0;
const MARGIN: f64 = 60.0;
/// Dark enough on white, and distinguishable for readers who do not see red or green.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#666666", "#b8860b"];
/// What is below cannot be told from nothing.
const LEAST: f64 = 1e-3;

/// Charts side by side.
pub(crate) fn svg(charts: &[Chart]) -> String {
    let wide = charts.len() as f64 * (WIDTH + MARGIN);
    let tall = HEIGHT + 2.0 * MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {tall}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, chart) in charts.iter().enumerate() {
        chart.draw(&mut text, MARGIN + index as f64 * (WIDTH + MARGIN));
    }
    text.push_str("</svg>\n");
    text
}

/// Where the values of a chart lie in its picture.
struct Scale {
    left: f64,
    first: f64,
    last: f64,
    floor: f64,
    top: f64,
}

impl Scale {
    fn x(&self, value: f64) -> f64 {
        self.left + (value - self.first) / (self.last - self.first).max(1.0) * (WIDTH - MARGIN)
    }

    fn y(&self, value: f64) -> f64 {
        MARGIN + HEIGHT - (value.max(LEAST).log10() - self.floor) / (self.top - self.floor) * HEIGHT
    }
}

impl Chart {
    fn scale(&self, left: f64) -> Scale {
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let over =
            |pick: fn(&(f64, f64)) -> f64, start: f64, both: fn(f64, f64) -> f64| points().map(pick).fold(start, both);
        let floor = over(|point| point.1.max(LEAST), f64::INFINITY, f64::min).log10().floor();
        let top = over(|point| point.1.max(LEAST), LEAST, f64::max).log10().ceil().max(floor + 1.0);
        Scale {
            left,
            first: over(|point| point.0, f64::INFINITY, f64::min),
            last: over(|point| point.0, f64::NEG_INFINITY, f64::max),
            floor,
            top,
        }
    }

    fn draw(&self, text: &mut String, left: f64) {
        if self.curves.iter().all(|curve| curve.points.is_empty()) {
            return;
        }
        let scale = self.scale(left);
        let (bottom, right) = (MARGIN + HEIGHT, left + WIDTH - MARGIN);
        // Writing to text does not fail.
        let _ = writeln!(
            text,
            "<path d=\"M{left} {MARGIN}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n\
             <text x=\"{left}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            MARGIN - 15.0,
            self.vertical,
            (left + right) / 2.0,
            bottom + 40.0,
            self.horizontal,
        );
        for power in scale.floor as i32..=scale.top as i32 {
            let at = scale.y(10f64.powi(power)) + 4.0;
            let _ = writeln!(text, "<text x=\"{}\" y=\"{at}\" text-anchor=\"end\">1e{power}</text>", left - 6.0);
        }
        let mut places: Vec<f64> =
            self.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0)).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        for place in places {
            let at = scale.x(place);
            let _ = writeln!(text, "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{place}</text>", bottom + 18.0);
        }
        for (index, curve) in self.curves.iter().enumerate() {
            curve.draw(text, &scale, index);
        }
    }
}

impl Curve {
    fn draw(&self, text: &mut String, scale: &Scale, index: usize) {
        let colour = COLOURS[index % COLOURS.len()];
        let line: Vec<String> =
            self.points.iter().map(|point| format!("{:.1},{:.1}", scale.x(point.0), scale.y(point.1))).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{}</text>",
            line.join(" "),
            scale.left + 12.0,
            MARGIN + 14.0 + 16.0 * index as f64,
            self.name,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_curves_and_axes() {
        let curve = Curve { name: "optimal".to_owned(), points: vec![(1.0, 1.0), (2.0, 100.0)] };
        let text = svg(&[Chart { horizontal: "N", vertical: "executions", curves: vec![curve] }]);
        for expected in
            ["<polyline points=\"60.0,340.0 420.0,60.0\"", ">1e2</text>", ">optimal</text>", ">executions</text>"]
        {
            assert!(text.contains(expected), "{expected} in {text}");
        }
    }
}
