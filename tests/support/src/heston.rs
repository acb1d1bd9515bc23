//! The objective of the Heston calibration in Rust. Tests compare the error that a calibration reports with it, and the
//! sequential version minimises it.

use ravel_abi::{Element, Value};
use ravel_prim::PrimValue;

use crate::sums::dot;
use crate::values::reals;

/// v0, theta, rho, kappa, eta.
pub type Parameters = [f64; 5];

/// The quotes, and the data that depend only on them.
pub struct Objective {
    nodes: &'static [(f64, f64)],
    taus: Vec<f64>,
    quotes: Vec<Quote>,
    /// For each quote and node, the cosine and the sine of the wave.
    waves: Vec<f64>,
}

struct Quote {
    group: usize,
    strike: f64,
    log_strike: f64,
    price: f64,
    vega: f64,
}

/// The data that calls of one maturity share. In the coefficients, real and imaginary parts alternate.
#[derive(Clone, Copy)]
pub struct Part {
    deviation: f64,
    coefficients: [f64; 40],
}

/// The part of the characteristic function at a node that all maturities share.
#[derive(Clone, Copy)]
struct Node {
    /// `z (i + z)`.
    square: Complex,
    d: Complex,
    below: Complex,
    g: Complex,
}

impl Objective {
    /// The objective with 10 or 20 quadrature nodes for these quotes, in which quotes of one maturity are adjacent.
    pub fn of(
        points: usize,
        today: i32,
        maturities: &[i32],
        strikes: &[f64],
        volatilities: &[f64],
    ) -> Objective {
        let nodes = if points == 10 { &LAGUERRE_10[..] } else { &LAGUERRE_20 };
        let today = day_number(today);
        let mut taus = Vec::new();
        let mut quotes = Vec::with_capacity(strikes.len());
        let mut last = None;
        for ((&maturity, &strike), &volatility) in maturities.iter().zip(strikes).zip(volatilities) {
            if last != Some(maturity) {
                last = Some(maturity);
                taus.push(f64::from(day_number(maturity) - today) / 365.0);
            }
            let tau = taus[taus.len() - 1];
            let log_strike = strike.ln();
            let (price, vega) = if tau == 0.0 || volatility <= 1e-15 {
                ((1.0 - strike).max(0.0), 0.1)
            } else {
                let deviation = volatility * tau.sqrt();
                let d1 = deviation / 2.0 - log_strike / deviation;
                let vega = (tau / (2.0 * std::f64::consts::PI)).sqrt() * (-d1 * d1 / 2.0).exp();
                (black_scholes_call(strike, log_strike, deviation), vega.max(0.1))
            };
            quotes.push(Quote { group: taus.len() - 1, strike, log_strike, price, vega });
        }
        let wave = |quote: &Quote, x: f64| <[f64; 2]>::from((x * quote.log_strike).sin_cos());
        let waves = quotes
            .iter()
            .flat_map(|quote| nodes.iter().map(move |&(x, _)| wave(quote, x)))
            .flat_map(|[sin, cos]| [cos, sin])
            .collect();
        Objective { nodes, taus, quotes, waves }
    }

    /// The objective for the input of a calibration, in any precision.
    pub fn of_input(input: &[Value]) -> Option<Objective> {
        let [_, points, _, today, Value::Array(maturities), strikes, volatilities] = input else {
            return None;
        };
        let [Value::Scalar(PrimValue::I32(points)), Value::Scalar(PrimValue::I32(today))] = [points, today]
        else {
            return None;
        };
        let maturities = i32::of(&maturities.data)?;
        Some(Objective::of(*points as usize, *today, maturities, &reals(strikes)?, &reals(volatilities)?))
    }

    /// Memory for the shared data of each maturity.
    pub fn parts(&self) -> Vec<Part> {
        vec![Part { deviation: 0.0, coefficients: [0.0; 40] }; self.taus.len()]
    }

    /// The root-mean-square error in percent.
    pub fn rmse(&self, x: &Parameters, parts: &mut [Part]) -> f64 {
        100.0 * (self.at(x, parts) / self.quotes.len() as f64).sqrt()
    }

    /// The weighted sum of squared price errors. A NaN counts as infinity.
    pub fn at(&self, x: &Parameters, parts: &mut [Part]) -> f64 {
        let mut nodes = [Node::NOTHING; 20];
        for (node, &(x_of_node, _)) in nodes.iter_mut().zip(self.nodes) {
            *node = Node::of(x, x_of_node);
        }
        for (part, &tau) in parts.iter_mut().zip(&self.taus) {
            *part = maturity_part(self.nodes, &nodes, x, tau);
        }
        let mut sum = 0.0;
        for (quote, waves) in self.quotes.iter().zip(self.waves.chunks_exact(2 * self.nodes.len())) {
            let error = (call(&parts[quote.group], quote, waves) - quote.price) / quote.vega;
            sum += error * error;
        }
        if sum.is_nan() { f64::INFINITY } else { sum }
    }
}

/// The number of a day (Fliegel and Van Flandern, CACM, 1968).
fn day_number(date: i32) -> i32 {
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    let shift = (month - 14) / 12;
    (1461 * (year + 4800 + shift)) / 4 + (367 * (month - 2 - 12 * shift)) / 12
        - (3 * ((year + 4900 + shift) / 100)) / 4
        + day
        - 32_075
}

fn normal_distribution(x: f64) -> f64 {
    (1.0 + libm::erf(x / std::f64::consts::SQRT_2)) / 2.0
}

fn black_scholes_call(strike: f64, log_strike: f64, deviation: f64) -> f64 {
    let d1 = deviation / 2.0 - log_strike / deviation;
    normal_distribution(d1) - strike * normal_distribution(d1 - deviation)
}

impl Node {
    const NOTHING: Node = {
        let zero = Complex { re: 0.0, im: 0.0 };
        Node { square: zero, d: zero, below: zero, g: zero }
    };

    fn of(parameters: &Parameters, x: f64) -> Node {
        let [_, _, rho, kappa, eta] = *parameters;
        let z = Complex { re: x, im: -1.0 };
        let square = z * (I + z);
        let d0 = Complex { re: kappa, im: 0.0 } - Complex { re: 0.0, im: rho * eta } * z;
        let d = (d0 * d0 + square.scale(eta * eta)).sqrt();
        let below = square.scale(-1.0) / (d0 + d);
        Node { square, d, below, g: below.scale(eta * eta) / (d0 + d) }
    }
}

fn maturity_part(weights: &[(f64, f64)], nodes: &[Node; 20], parameters: &Parameters, tau: f64) -> Part {
    let [v0, theta, rho, kappa, eta] = *parameters;
    let reversion = kappa - rho * eta;
    let mean = kappa * theta / reversion;
    let variance = mean - (v0 - mean) * (-reversion * tau).exp_m1() / (reversion * tau);
    let mut part = Part { deviation: (variance * tau).sqrt(), coefficients: [0.0; 40] };
    let coefficients = part.coefficients.as_chunks_mut::<2>().0;
    for ((coefficient, node), &(x, weight)) in coefficients.iter_mut().zip(nodes).zip(weights) {
        let z = Complex { re: x, im: -1.0 };
        let black_scholes = node.square.scale(-tau * variance / 2.0).exp();
        let Complex { re, im } =
            ((black_scholes - characteristic(parameters, tau, node)) / z.scale(x)).scale(weight);
        *coefficient = [re, im];
    }
    part
}

/// The characteristic function of the logarithm of the asset at time tau.
fn characteristic(parameters: &Parameters, tau: f64, node: &Node) -> Complex {
    let [v0, theta, _, kappa, eta] = *parameters;
    let Node { d, below, g, .. } = *node;
    let one = Complex { re: 1.0, im: 0.0 };
    let e = d.scale(-tau).exp();
    let decay = g * (one - e) / (one - g);
    let drift = below.scale(tau) - decay.ln_1p().scale(2.0 / (eta * eta));
    let start = below * (one - e) / (one - g * e);
    (drift.scale(kappa * theta) + start.scale(v0)).exp()
}

fn call(part: &Part, quote: &Quote, waves: &[f64]) -> f64 {
    let integral = dot(&part.coefficients[..waves.len()], waves);
    let price =
        integral / std::f64::consts::PI + black_scholes_call(quote.strike, quote.log_strike, part.deviation);
    let least = (1.0 - quote.strike).max(0.0);
    if price > least { price.min(1.0) } else { least }
}

#[derive(Clone, Copy)]
struct Complex {
    re: f64,
    im: f64,
}

const I: Complex = Complex { re: 0.0, im: 1.0 };

impl Complex {
    fn scale(self, r: f64) -> Complex {
        Complex { re: r * self.re, im: r * self.im }
    }

    fn exp(self) -> Complex {
        let (sin, cos) = self.im.sin_cos();
        Complex { re: cos, im: sin }.scale(self.re.exp())
    }

    fn ln_1p(self) -> Complex {
        let Complex { re, im } = self;
        Complex { re: (re * (re + 2.0) + im * im).ln_1p() / 2.0, im: im.atan2(re + 1.0) }
    }

    fn sqrt(self) -> Complex {
        let size = self.re.hypot(self.im);
        let im = ((size - self.re) / 2.0).sqrt().copysign(self.im);
        Complex { re: ((size + self.re) / 2.0).sqrt(), im }
    }
}

impl std::ops::Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl std::ops::Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

impl std::ops::Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl std::ops::Div for Complex {
    type Output = Complex;
    fn div(self, other: Complex) -> Complex {
        let square = other.re * other.re + other.im * other.im;
        Complex {
            re: (self.re * other.re + self.im * other.im) / square,
            im: (self.im * other.re - self.re * other.im) / square,
        }
    }
}

/// Nodes and weights of Gauss-Laguerre quadrature, each weight multiplied by `exp node`.
const LAGUERRE_10: [(f64, f64); 10] = [
    (0.13779347054049243, 0.3540097386069963),
    (0.7294545495031705, 0.8319023010435808),
    (1.808342901740316, 1.330288561749328),
    (3.4014336978548996, 1.863063903111131),
    (5.552496140063804, 2.4502555580830103),
    (8.330152746764497, 3.1227641551351826),
    (11.843785837900066, 3.934152695561521),
    (16.279257831378104, 4.992414872193023),
    (21.99658581198076, 6.572202485130803),
    (29.92069701227389, 9.784695840374631),
];

const LAGUERRE_20: [(f64, f64); 20] = [
    (0.07053988969198875, 0.18108006241898925),
    (0.37212681800161146, 0.422556767878564),
    (0.9165821024832735, 0.6669095467018481),
    (1.707306531028344, 0.9153523727830737),
    (2.749199255309432, 1.169539707195546),
    (4.048925313850887, 1.431354985928206),
    (5.6151749708616165, 1.7029811379850228),
    (7.459017453671064, 1.9870158907927473),
    (9.594392869581096, 2.286635781253431),
    (12.038802546964316, 2.6058347275538334),
    (14.81429344263074, 2.949783734213951),
    (17.948895520519375, 3.3253957820093194),
    (21.47878824028501, 3.742255470589811),
    (25.451702793186904, 4.21423671025188),
    (29.93255463170061, 4.76251846149021),
    (35.013434240479, 5.421726044245574),
    (40.83305705672857, 6.254012356932421),
    (47.6199940473465, 7.387314389054435),
    (55.810795750063896, 9.15132873098748),
    (66.52441652561575, 12.893388645939996),
];

#[cfg(test)]
mod tests {
    use super::Objective;

    /// The values come from an implementation in Python with numpy and SciPy.
    #[test]
    fn the_objective_is_that_of_the_reference() {
        for (points, start, other) in
            [(20, 6.635406662418794, 0.003994751870094874), (10, 6.645388715044468, 0.004021256955090698)]
        {
            let quotes =
                Objective::of(points, 20_170_126, &[20_170_217, 20_180_126], &[0.9, 1.1], &[0.2, 0.25]);
            let mut parts = quotes.parts();
            let near = |actual: f64, expected: f64| (actual / expected - 1.0).abs() < 1e-12;
            assert!(near(quotes.rmse(&[0.04, 0.04, -0.5, 0.01, 0.4], &mut parts), start));
            assert!(near(quotes.at(&[0.04, 0.06, -0.6, 1.5, 0.5], &mut parts), other));
        }
    }
}
