//! Metamorphic laws: two ways to write a computation give the same results, on every backend, for all
//! arguments. Each way is an entry point, so that the optimiser never sees both.

use ravel_abi::random::Random;
use ravel_abi::{Failure, Value};
use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine};

/// The laws, as pairs of entry points.
const LAWS: &str = include_str!("laws.dsl");

/// Not a law: differences, unlike sums, depend on the order of their operands.
const NO_LAW: &str = "
def from_first [n] (xs: [n]i64): i64 = loop x = 0 for i < n do xs[i] - x
entry left_differences [n] (_: i64) (_: [n]i64) (xs: [n]i64): i64 = from_first xs
entry right_differences [n] (_: i64) (is: [n]i64) (xs: [n]i64): i64 = from_first (map (\\i -> xs[i]) is)
";

/// Boundary sizes: no chunk, a few points, some workgroups.
const SIZES: &[usize] = &[0, 1, 2, 3, 17, 256, 1_000, 5_000];

/// A number from 0 to `size`, a permutation of the positions below `size`, and `size` numbers.
fn arguments(size: usize, random: &mut Random) -> [Value; 3] {
    let mut places: Vec<i64> = (0..size as i64).collect();
    for at in (1..size).rev() {
        places.swap(at, random.below(at as u64 + 1) as usize);
    }
    let numbers: Vec<i64> = (0..size).map(|_| random.bits() as i64 >> (random.below(8) * 8)).collect();
    let number = random.below(size as u64 + 1) as i64;
    [Value::from(number), Value::from(&places[..]), Value::from(&numbers[..])]
}

/// The laws of a program that do not hold on a backend, and the number of all laws.
fn broken(text: &str, backend: Backend) -> (Vec<String>, usize) {
    let source = Source::new("laws.dsl", text);
    let engine = Engine::open(backend, Some(2)).expect("the backend is there");
    let program = engine.compile(&source, &Options::default()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let laws: Vec<&str> = program.entries().iter().filter_map(|name| name.strip_prefix("left_")).collect();
    let mut random = Random::new(1);
    let mut broken = Vec::new();
    for &law in &laws {
        for &size in SIZES {
            let args = arguments(size, &mut random);
            let answer = |side: &str| -> Result<Vec<Value>, Failure> {
                program.call(&format!("{side}_{law}"), &args).map(|(values, _)| values)
            };
            let sides = ["left", "right"].map(|side| answer(side).unwrap_or_else(|wrong| panic!("{wrong}")));
            if sides[0] != sides[1] {
                broken.push(law.to_owned());
                break;
            }
        }
    }
    (broken, laws.len())
}

#[test]
fn laws_hold_on_every_backend() {
    ravel_driver::on_large_stack(|| {
        for backend in Backend::ALL {
            let (broken, laws) = broken(LAWS, backend);
            assert_eq!(broken, [""; 0], "on {}", backend.name());
            assert_eq!(laws, 11);
        }
    });
}

#[test]
fn an_incorrect_law_is_detected() {
    ravel_driver::on_large_stack(|| {
        assert_eq!(broken(NO_LAW, Backend::Cpu).0, ["differences"]);
    });
}
