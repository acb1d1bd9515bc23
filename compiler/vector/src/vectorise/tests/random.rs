//! A strip of any number of lanes computes what its points compute one by one, and fails if one of them does.

use std::collections::BTreeMap;

use ravel_kernel::{Atom, Entry, Stm, Target, Type, parse};
use ravel_prim::{PrimValue, convert};

use super::segment;
use super::thread::{Failed, Point};
use crate::evaluate::{Environment, Stop, evaluate};
use crate::random::{POINTS, alike, borders, program, reduction, scan};
use crate::{
    Exp, Operand, Refusal, Strip, form, lane_type, vectorise, vectorise_alike, vectorise_scan, verify,
};

#[test]
fn strips_compute_what_their_points_compute() {
    let [completed, failed, restarted, refused, _] = check(program);
    assert!(
        completed > 1000 && failed > 80 && restarted > 5 && refused < 40,
        "{completed} completed, {failed} failed, {restarted} restarted, {refused} refused"
    );
}

#[test]
fn strips_combine_what_their_points_combine() {
    let [completed, failed, restarted, refused, _] = check(reduction);
    assert!(
        completed > 1000 && failed > 80 && restarted > 5 && refused < 40,
        "{completed} completed, {failed} failed, {restarted} restarted, {refused} refused"
    );
}

#[test]
fn strips_at_borders_and_between_them_compute_what_their_points_compute() {
    let [completed, failed, _, refused, interiors] = check(borders);
    assert!(completed > 1000 && failed > 80 && refused < 40 && interiors > 400, "{interiors} interiors");
}

#[test]
fn strips_of_points_that_are_alike_compute_what_their_points_compute() {
    let [completed, failed, restarted, refused, _] = check(alike);
    assert!(
        completed > 1000 && failed > 80 && restarted > 100 && refused < 40,
        "{completed} completed, {failed} failed, {restarted} restarted, {refused} refused"
    );
}

#[test]
fn strips_take_the_prefixes_that_their_points_take() {
    let (mut completed, mut failed, mut restarted, mut refused) = (0, 0, 0, 0);
    for seed in 0..800 {
        let text = scan(seed);
        let program = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let entry = &program.entries[0];
        let mut steps = entry.body.stms.iter().filter_map(|step| match &step.stm {
            Stm::Segment(segment) => Some(segment),
            _ => None,
        });
        let segment = steps.next_back().expect("a scan");
        let (kind, body) = segment.threads().expect("of threads");
        let (operators, finish) = (kind.combiners(), kind.finish());
        let strip = match vectorise_scan(&segment.space, body, (operators, finish), &entry.vars, &Target::CPU)
        {
            Ok(strip) => strip,
            Err(refusal) => {
                assert_eq!(refusal, Refusal::Restart, "{text}");
                refused += 1;
                continue;
            }
        };
        assert_eq!(verify(&strip), Ok(()), "{text}\n{strip}");
        let before = environment(entry);
        let neutral = operators.iter().flat_map(|operator| &operator.neutral);
        let carry: Vec<PrimValue> = neutral.map(|&neutral| constant(neutral)).collect();
        for (lanes, first) in [(1, 5), (4, 0), (8, 0)] {
            let run = |outside: &mut Environment| {
                let mut prefixes = carry.clone();
                for lane in 0..lanes {
                    let scalars = BTreeMap::from([(segment.space[0].0, PrimValue::I64(first + lane))]);
                    let mut point = Point { vars: &entry.vars, outside, scalars, arrays: Vec::new() };
                    let results = point.body(body)?;
                    let mut next = Vec::new();
                    for (operator, result) in operators.iter().zip(results) {
                        point.bind_all(&operator.left, vec![prefixes[next.len()]]);
                        point.bind_all(&operator.right, vec![result]);
                        next.extend(point.body(&operator.body)?);
                    }
                    prefixes = next;
                    match finish {
                        Some(finish) => {
                            point.bind_all(&finish.prefixes, prefixes.clone());
                            point.body(&finish.body)?;
                        }
                        None => {
                            for (operator, &prefix) in operators.iter().zip(&prefixes) {
                                point.store(operator.outs[0], &[first + lane], prefix);
                            }
                        }
                    }
                }
                Ok(prefixes)
            };
            let (mut outside, mut vector) = (before.clone(), before.clone());
            let state = vec![carry.clone(); lanes as usize];
            match (run(&mut outside), evaluate(&strip, lanes as usize, first, &state, &mut vector)) {
                (Ok(carried), Ok(lanes_of_strip)) => {
                    let carried = vec![carried; lanes as usize];
                    assert_eq!(carried, lanes_of_strip, "seed {seed}:\n{text}\n{strip}");
                    assert_eq!(
                        format!("{outside:?}"),
                        format!("{vector:?}"),
                        "seed {seed}:\n{text}\n{strip}"
                    );
                    completed += 1;
                }
                (Err(Failed), Err(Stop::Failed)) => failed += 1,
                (Ok(_), Err(Stop::Failed)) => {
                    assert!(run(&mut vector).is_ok());
                    assert_eq!(
                        format!("{outside:?}"),
                        format!("{vector:?}"),
                        "seed {seed}:\n{text}\n{strip}"
                    );
                    restarted += 1;
                }
                (one, other) => panic!("seed {seed}, {lanes} lanes: {one:?}, {other:?}\n{text}\n{strip}"),
            }
        }
    }
    assert!(
        completed > 1000 && failed > 80 && restarted > 5 && refused < 40,
        "{completed} completed, {failed} failed, {restarted} restarted, {refused} refused"
    );
}

/// The scalars that the host computes before the segments of a program, and its arrays, which are zero.
fn environment(entry: &Entry) -> Environment {
    let mut before = Environment::default();
    before.scalars.insert(entry.sizes[0], PrimValue::I64(POINTS));
    let elements = (0..POINTS).map(|at| PrimValue::F64((at * 37 % 23) as f64 - 11.5));
    before.blocks.insert(entry.params[0].var, elements.collect());
    for step in &entry.body.stms {
        match &step.stm {
            Stm::Let { var, exp } => {
                let (vars, scalars) = (&entry.vars, BTreeMap::new());
                let value = Point { vars, outside: &mut before, scalars, arrays: Vec::new() }.scalar(exp);
                before.scalars.insert(*var, value);
            }
            Stm::Alloc { block, count } => {
                let Type::Block(ty) = entry.vars[*block].ty else { panic!("no block") };
                let count = match count {
                    Atom::Const(count) => *count,
                    Atom::Var(count) => before.scalars[count],
                };
                let count = count.as_i64().expect("an i64") as usize;
                before.blocks.insert(*block, vec![PrimValue::zero(ty.elem); count]);
            }
            _ => {}
        }
    }
    before
}

fn constant(atom: Atom) -> PrimValue {
    match atom {
        Atom::Const(constant) => constant,
        Atom::Var(_) => panic!("no constant"),
    }
}

/// Checks the strips of 800 programs. Returns how many completed, failed and restarted, and how many programs were refused
/// and have an interior.
fn check(generate: fn(u64) -> String) -> [usize; 5] {
    let (mut completed, mut failed, mut restarted, mut refused, mut interiors) = (0, 0, 0, 0, 0);
    for seed in 0..800 {
        let text = generate(seed);
        let program = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let entry = &program.entries[0];
        let (space, body, operators) = segment(entry);
        let (vars, target) = (&entry.vars, &Target::CPU);
        let strip = match vectorise(space, body, operators, vars, target) {
            Err(Refusal::Allocation) => {
                vectorise_alike(space, body, operators, &BTreeMap::new(), vars, target)
            }
            strip => strip,
        };
        let strip = match strip {
            Ok(strip) => strip,
            Err(refusal) => {
                assert_eq!(refusal, Refusal::Restart, "{text}");
                refused += 1;
                continue;
            }
        };
        assert_eq!(verify(&strip), Ok(()), "{text}\n{strip}");
        interiors += usize::from(has_interior(&strip));
        let mut before = environment(entry);
        before.scalars.insert(space[0].0, PrimValue::I64(2));
        for (lanes, first) in [(1, 5), (4, 0), (8, 40)] {
            let neutral = operators.iter().flat_map(|operator| &operator.neutral);
            let state: Vec<PrimValue> = neutral.map(|&neutral| constant(neutral)).collect();
            let state = vec![state; lanes as usize];
            let run = |outside: &mut Environment| {
                let point = |lane: i64| {
                    let scalars = BTreeMap::from([(space[1].0, PrimValue::I64(first + lane))]);
                    let vars = &entry.vars;
                    let mut point = Point { vars, outside, scalars, arrays: Vec::new() };
                    let results = point.body(body)?;
                    let mut next = Vec::new();
                    for operator in operators {
                        let operands = next.len()..next.len() + operator.left.len();
                        point.bind_all(&operator.left, state[lane as usize][operands.clone()].to_vec());
                        point.bind_all(&operator.right, results[operands].to_vec());
                        next.extend(point.body(&operator.body)?);
                    }
                    Ok(next)
                };
                (0..lanes).map(point).collect::<Result<Vec<_>, _>>()
            };
            let mut outside = before.clone();
            let scalar = run(&mut outside);
            let mut vector = before.clone();
            let in_lanes = |values: &Vec<PrimValue>| -> Vec<PrimValue> {
                values.iter().map(|&value| convert(value, lane_type(value.ty()))).collect()
            };
            let state: Vec<Vec<PrimValue>> = state.iter().map(in_lanes).collect();
            match (scalar, evaluate(&strip, lanes as usize, first, &state, &mut vector)) {
                (Ok(points), Ok(lanes_of_strip)) => {
                    let points: Vec<Vec<PrimValue>> = points.iter().map(in_lanes).collect();
                    assert_eq!(
                        format!("{points:?}"),
                        format!("{lanes_of_strip:?}"),
                        "seed {seed}:\n{text}\n{strip}"
                    );
                    assert_eq!(outside, vector, "seed {seed}, {lanes} lanes:\n{text}\n{strip}");
                    completed += 1;
                }
                (Err(Failed), Err(Stop::Failed)) => failed += 1,
                // An angle is far from 0.
                (Ok(_), Err(Stop::Failed)) => {
                    assert!(run(&mut vector).is_ok());
                    assert_eq!(outside, vector, "seed {seed}, {lanes} lanes:\n{text}\n{strip}");
                    restarted += 1;
                }
                (one, other) => panic!("seed {seed}, {lanes} lanes: {one:?}, {other:?}\n{text}\n{strip}"),
            }
        }
    }
    [completed, failed, restarted, refused, interiors]
}

/// Whether a strip tests for cuts.
fn has_interior(strip: &Strip) -> bool {
    let exp = |cond: Operand| {
        strip.body.stms.iter().find_map(|stm| match stm {
            form::Stm::Let { value, exp } if Operand::Value(*value) == cond => Some(*exp),
            _ => None,
        })
    };
    strip.body.stms.iter().any(|stm| match stm {
        form::Stm::If { cond, otherwise, .. } => {
            !otherwise.stms.is_empty() && matches!(exp(*cond), Some(Exp::Any(_)))
        }
        _ => false,
    })
}
