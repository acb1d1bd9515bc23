//! Random valid programs: their core IR and their kernel IR print to text that parses back, and the passes preserve their
//! meaning.

use proptest::prelude::*;
use ravel_abi::Machine;
use ravel_abi::{Array, Data, Value};
use ravel_core::Program;
use ravel_driver::dev;
use ravel_driver::{Options, Source};

use super::text;

/// A scalar expression in `x`, `y` and `k`.
fn scalar() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        Just("k".to_owned()),
        (-3i64..1000).prop_map(|number| format!("({number})")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (two.clone(), prop::sample::select(&["+", "-", "*", "^", "/", "%"][..]))
                .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            (two.clone(), inner.clone()).prop_map(|((a, b), c)| format!("(if {a} < {b} then {c} else {a})")),
            two.prop_map(|(a, b)| format!("(loop z = {a} for i < 3 do z * i + {b})")),
        ]
    })
}

/// An array expression of size `n` in `xs` and `k`.
fn array() -> impl Strategy<Value = String> {
    let leaf =
        prop_oneof![Just("xs".to_owned()), Just("(iota n)".to_owned()), Just("(replicate n k)".to_owned())];
    let op = || prop::sample::select(&["(+)", "i64.max", "i64.min", "(*)"][..]);
    leaf.prop_recursive(4, 16, 2, move |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (scalar(), two.clone()).prop_map(|(f, (a, b))| format!("(map2 (\\x y -> {f}) {a} {b})")),
            (scalar(), inner.clone()).prop_map(|(f, a)| format!("(map (\\x -> let y = x + 1 in {f}) {a})")),
            (op(), inner.clone()).prop_map(|(op, a)| format!("(scan {op} 0 {a})")),
            (op(), two.clone()).prop_map(|(op, (a, b))| format!("(let k = reduce {op} 1 {a} in {b})")),
            inner.clone().prop_map(|a| format!("(reverse {a})")),
            two.prop_map(|(a, b)| format!("(scatter (copy {a}) (iota n) {b})")),
            (scalar(), inner).prop_map(|(f, a)| format!("(loop xs = {a} for y < 2 do map (\\x -> {f}) xs)")),
        ]
    })
}

/// The interpreter's result. Passes may change which of several failures comes first.
fn meaning(program: &Program, source: &Source) -> Option<Vec<Value>> {
    let described = |span| source.sources().describe(span);
    let args = [
        Value::Array(Array { shape: vec![5], data: Data::I64(vec![3, -1, 0, 7, i64::MAX].into()) }),
        Value::Scalar(ravel_prim::PrimValue::I64(2)),
    ];
    ravel_interp::run(program, "main".into(), &args, ravel_interp::Options::default(), &described).ok()
}

fn holds(text: String) {
    ravel_driver::on_large_stack(move || {
        let source = Source::new("random.dsl", text);
        let rejected = |stage: &str| panic!("{stage} rejects\n{}", source.text());
        let Ok(lowered) = ravel_driver::lowered_core(&source, &Options::default()) else {
            rejected("the front end")
        };
        let Ok(core) = dev::optimised_core(&source, &Options::default(), Machine::Cpu, &mut |_| {}) else {
            rejected("a pass")
        };
        for program in [&lowered, &core] {
            text::core_reads_back(program, source.text());
        }
        for machine in Machine::ALL {
            let Ok(kernel) = ravel_driver::compile_optimised(
                &source,
                core.clone(),
                &Options::default(),
                ravel_kernel::Target::of(machine),
            ) else {
                rejected("kernelise")
            };
            text::kernel_reads_back(&kernel, source.text());
        }
        match (meaning(&lowered, &source), meaning(&core, &source)) {
            // A failure whose result is unused may be dropped.
            (None, Some(_)) => {}
            (before, after) => assert_eq!(before, after, "{}", source.text()),
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_reads_back_and_passes_keep_meaning(a in array(), b in array()) {
        holds(format!(
            "entry main [n] (xs: [n]i64) (k: i64): ([n]i64, i64) =\n  let ys: [n]i64 = {a}\n  in ({b}, reduce (+) 0 ys)\n"
        ));
    }
}
