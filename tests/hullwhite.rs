//! The program `hullwhite` prices options on bonds with the trinomial trees of Hull and White. The tests check that the
//! sizes of the trees of its inputs are distributed as they should be, and that prices do not depend on the order of the
//! options.

use ravel_abi::{Array, Data, Value};
use ravel_engine::Backend;
use ravel_support::values::reals;

use crate::programs::{call, input, load};

/// Mean, standard deviation, skewness and excess kurtosis.
type Moments = [f64; 4];

fn moments(values: &[f64]) -> Moments {
    let mean_of = |f: &dyn Fn(f64) -> f64| values.iter().map(|&x| f(x)).sum::<f64>() / values.len() as f64;
    let mean = mean_of(&|x| x);
    let central = |power| mean_of(&|x| (x - mean).powi(power));
    let deviation = central(2).sqrt();
    [mean, deviation, central(3) / deviation.powi(3), central(4) / deviation.powi(4) - 3.0]
}

/// The moments of the widths and of the heights of 65,536 trees of each kind; `None` if they are not compared. The
/// moments of `skewed` are published (Hlava and Metaksov: Accelerated Interest Rate Option Pricing using Trinomial Trees,
/// University of Copenhagen, 2018). Those of the other kinds come from another generator of the same distributions.
const SIZES: [(&str, Option<Moments>, Option<Moments>); 6] = [
    ("random", Some([258.81, 145.84, 0.0, -1.19]), Some([606.3, 346.22, 0.01, -1.2])),
    ("random-constant-height", Some([259.11, 146.22, 0.0, -1.2]), None),
    ("random-constant-width", None, Some([605.73, 346.16, 0.01, -1.2])),
    ("skewed", Some([60.9, 49.91, 5.19, 40.29]), Some([195.35, 132.66, 2.4, 14.07])),
    ("skewed-constant-height", Some([57.22, 29.47, -0.01, -1.21]), Some([196.75, 144.32, 3.27, 20.95])),
    ("skewed-constant-width", Some([61.5, 53.86, 5.74, 45.73]), Some([187.14, 103.57, 0.0, -1.2])),
];

#[test]
fn trees_have_the_expected_widths_and_heights() {
    for (kind, widths, heights) in SIZES {
        let input = input("main", "hullwhite", &format!("{kind}-65536"));
        let [_, years, _, _, steps, reversions, ..] = &input[..] else { panic!("no portfolio") };
        let Value::Array(Array { data: Data::U16(steps), .. }) = steps else { panic!("no steps") };
        let steps = |i: usize| f64::from(steps[i]);
        let height = |(i, years): (usize, f64)| steps(i) * years + 1.0;
        let width = |(i, reversion): (usize, f64)| {
            // In each step the rate loses this share of its distance from the mean. At the edge of the tree all moves lead
            // inward. The edge is the first place where their probabilities are positive (Hull and White, 1994).
            let decay = 1.0 - (-reversion / steps(i)).exp();
            2.0 * ((0.184 / decay).floor() + 1.0) + 1.0
        };
        let of = |values: &Value| reals(values).expect("reals").into_iter().enumerate();
        for (what, expected, actual) in [
            ("widths", widths, of(reversions).map(width).collect::<Vec<f64>>()),
            ("heights", heights, of(years).map(height).collect()),
        ] {
            let Some(expected) = expected else { continue };
            let actual = moments(&actual);
            let near =
                |(actual, expected): (f64, f64)| (actual - expected).abs() < 0.03 * expected.abs() + 0.02;
            assert!(
                actual.into_iter().zip(expected).all(near),
                "{what} of {kind}: {actual:?}, not {expected:?}"
            );
        }
    }
}

/// Sorted options get their results in the original order.
#[test]
fn options_in_any_order_have_the_same_prices() {
    for size in ["random-100", "skewed-100"] {
        let args = input("main", "hullwhite", size);
        let program = load(Backend::Cpu, None, "hullwhite/hullwhite.dsl");
        let (prices, _) = call(&program, "main", &args);
        for entry in ["by_height", "by_width", "by_shape", "in_bins"] {
            assert_eq!(call(&program, entry, &args).0, prices, "{entry} of {size}");
        }
    }
}
