//! Heston calibration: the same sequence of trials as in the program, one member and one quote after the other.

use ravel_abi::Value;
use ravel_support::values::scalar;

use super::{Run, count, elements};

/// v0, theta, rho, kappa, eta.
type Parameters = [f64; 5];

const LOWER: Parameters = [1e-6, 1e-6, -1.0, 1e-4, 1e-4];
const UPPER: Parameters = [1.0, 1.0, 0.0, 4.0, 2.0];

/// The quotes, and what depends on them alone.
struct Objective {
    nodes: &'static [(f64, f64)],
    taus: Vec<f64>,
    quotes: Vec<Quote>,
}

struct Quote {
    group: usize,
    strike: f64,
    log_strike: f64,
    price: f64,
    vega: f64,
}

/// What calls of one maturity have in common.
#[derive(Clone, Copy)]
struct Part {
    deviation: f64,
    coefficients: [Complex; 20],
}

pub fn prepare(record: &[Value]) -> Option<Run<'_>> {
    let [evaluations, points, members, today, maturities, strikes, volatilities] = record else {
        return None;
    };
    let (evaluations, members) = (count(evaluations)?, count(members)?);
    let today = day_number(count(today)? as i32);
    let maturities = elements::<i32>(maturities)?;
    let (strikes, volatilities) = (elements::<f64>(strikes)?, elements::<f64>(volatilities)?);
    let nodes = if count(points)? == 10 { &LAGUERRE_10[..] } else { &LAGUERRE_20 };
    Some(Box::new(move || {
        let objective = Objective::of(nodes, today, maturities, strikes, volatilities);
        scalar(objective.calibrate(members, evaluations))
    }))
}

impl Objective {
    fn of(
        nodes: &'static [(f64, f64)],
        today: i32,
        maturities: &[i32],
        strikes: &[f64],
        volatilities: &[f64],
    ) -> Objective {
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
        Objective { nodes, taus, quotes }
    }

    /// The weighted sum of squared price errors. A NaN counts as infinity.
    fn at(&self, x: &Parameters, parts: &mut [Part]) -> f64 {
        for (part, &tau) in parts.iter_mut().zip(&self.taus) {
            *part = maturity_part(self.nodes, x, tau);
        }
        let mut sum = 0.0;
        for quote in &self.quotes {
            let error = (call(self.nodes, &parts[quote.group], quote) - quote.price) / quote.vega;
            sum += error * error;
        }
        if sum.is_nan() { f64::INFINITY } else { sum }
    }

    /// Differential evolution; gives the root-mean-square error in percent.
    fn calibrate(&self, members: usize, evaluations: usize) -> f64 {
        let nothing = Part { deviation: 0.0, coefficients: [Complex { re: 0.0, im: 0.0 }; 20] };
        let mut parts = vec![nothing; self.taus.len()];
        let mut population: Vec<Parameters> = (0..members)
            .map(|i| {
                let key = split(stream(0), i);
                std::array::from_fn(|j| LOWER[j] + (UPPER[j] - LOWER[j]) * uniform(bits(key, j)))
            })
            .collect();
        let mut values: Vec<f64> = population.iter().map(|x| self.at(x, &mut parts)).collect();
        let mut trials = population.clone();
        let mut evaluated = members;
        for generation in 1.. {
            let best = least(&values);
            if evaluated >= evaluations || values[best] <= 0.0 {
                break;
            }
            let key = stream(generation);
            let weight = (1.0 + uniform(bits(key, 0))) / 2.0;
            for (i, trial) in trials.iter_mut().enumerate() {
                *trial = tried(&population, &population[best], weight, split(key, i), i);
            }
            for ((old, old_value), trial) in population.iter_mut().zip(&mut values).zip(&trials) {
                let value = self.at(trial, &mut parts);
                if value < *old_value {
                    (*old, *old_value) = (*trial, value);
                }
            }
            evaluated += members;
        }
        let best = population[least(&values)];
        100.0 * (self.at(&best, &mut parts) / self.quotes.len() as f64).sqrt()
    }
}

fn least(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] < values[best] { i } else { best })
}

/// A vector to be tried in the place of member `i`.
fn tried(population: &[Parameters], best: &Parameters, weight: f64, key: Key, i: usize) -> Parameters {
    let m = population.len();
    let below = |k: usize, bound: usize| ((u64::from(bits(key, k)) * bound as u64) >> 32) as usize;
    let past = |taken: usize, x: usize| if x >= taken { x + 1 } else { x };
    let first = 1 + below(0, m - 1);
    let second = past(first, 1 + below(1, m - 2));
    let third = past(first.max(second), past(first.min(second), 1 + below(2, m - 3)));
    let member = |distance: usize| &population[(i + distance) % m];
    let base = if below(3, 2) == 0 { best } else { member(first) };
    let forced = below(4, 5);
    std::array::from_fn(|j| {
        let moved = base[j] + weight * (member(second)[j] - member(third)[j]);
        let taken = j == forced || uniform(bits(key, 5 + j)) <= 0.9;
        if taken && LOWER[j] <= moved && moved <= UPPER[j] { moved } else { population[i][j] }
    })
}

fn uniform(bits: u32) -> f64 {
    f64::from(bits) / 4_294_967_296.0
}

/// A stream of random numbers.
type Key = [u32; 2];

/// Philox 4x32 with ten rounds (Salmon, Moraes, Dror and Shaw, SC'11).
fn philox(mut key: Key, position: usize) -> [u32; 4] {
    let product = |a: u32, b: u32| {
        let product = u64::from(a) * u64::from(b);
        ((product >> 32) as u32, product as u32)
    };
    let mut words = [position as u32, (position as u64 >> 32) as u32, 0, 0];
    for _ in 0..10 {
        let ((high_0, low_0), (high_2, low_2)) =
            (product(0xD251_1F53, words[0]), product(0xCD9E_8D57, words[2]));
        words = [high_2 ^ words[1] ^ key[0], low_2, high_0 ^ words[3] ^ key[1], low_0];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    words
}

fn bits(key: Key, position: usize) -> u32 {
    philox(key, position)[0]
}

/// The stream of this number within a stream.
fn split(key: Key, number: usize) -> Key {
    let [_, _, low, high] = philox(key, number);
    [low, high]
}

/// The stream of a generation.
fn stream(generation: usize) -> Key {
    split([1, 0], generation)
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

fn maturity_part(nodes: &[(f64, f64)], parameters: &Parameters, tau: f64) -> Part {
    let [v0, theta, rho, kappa, eta] = *parameters;
    let reversion = kappa - rho * eta;
    let mean = kappa * theta / reversion;
    let variance = mean + (v0 - mean) * (1.0 - (-reversion * tau).exp()) / (reversion * tau);
    let mut part =
        Part { deviation: (variance * tau).sqrt(), coefficients: [Complex { re: 0.0, im: 0.0 }; 20] };
    for (coefficient, &(x, weight)) in part.coefficients.iter_mut().zip(nodes) {
        let z = Complex { re: x, im: -1.0 };
        let black_scholes = (z * (I + z)).scale(-tau * variance / 2.0).exp();
        *coefficient = ((black_scholes - characteristic(parameters, tau, z)) / z.scale(x)).scale(weight);
    }
    part
}

/// The characteristic function of the logarithm of the asset at time tau.
fn characteristic(parameters: &Parameters, tau: f64, z: Complex) -> Complex {
    let [v0, theta, rho, kappa, eta] = *parameters;
    let square = eta * eta;
    let one = Complex { re: 1.0, im: 0.0 };
    let d0 = Complex { re: kappa, im: 0.0 } - Complex { re: 0.0, im: rho * eta } * z;
    let d = (d0 * d0 + (z * (I + z)).scale(square)).sqrt();
    let below = (z * (I + z)).scale(-1.0) / (d0 + d);
    let g = below.scale(square) / (d0 + d);
    let e = d.scale(-tau).exp();
    let decay = g * (one - e) / (one - g);
    let drift = below.scale(tau) - decay.ln_1p().scale(2.0 / square);
    let start = below * (one - e) / (one - g * e);
    (drift.scale(kappa * theta) + start.scale(v0)).exp()
}

fn call(nodes: &[(f64, f64)], part: &Part, quote: &Quote) -> f64 {
    let mut integral = 0.0;
    for (&(x, _), coefficient) in nodes.iter().zip(&part.coefficients) {
        let (sin, cos) = (x * quote.log_strike).sin_cos();
        integral += coefficient.re * cos + coefficient.im * sin;
    }
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
