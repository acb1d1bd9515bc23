//! Translates core text to kernel text. Every output is verified for both targets and run on the machine model, whose
//! results must equal the interpreter's.

mod batch;
mod blocks;
mod forms;
mod inspect;
mod manifest;
mod nest;
mod parts;

use ravel_abi as abi;
use ravel_abi::Hardware;
use ravel_core as core;
use ravel_kernel::{MemProgram, Program, Target};
use ravel_model::{DEVICES, Device, Outcome};
use ravel_prim::{PrimType, PrimValue, convert};
use rustc_hash::FxHashMap;

use crate::{Cx, KERNEL, flatten, to_kernel};

fn program(text: &str) -> core::Program {
    let program = core::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    core::verify(&program).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    program
}

/// A small device, so that a few points fill several subgroups. It has `f64`, which some programs use.
const DEVICE: Device = Device { target: &SMALL, f64_slots: Some(2), ..DEVICES[0] };

const SMALL: Target = Target {
    subgroup: 4,
    workgroup: 8,
    hardware: Hardware { memory_bytes: Some(1 << 24), ..Hardware::UNKNOWN },
    ..Target::GPU
};

/// The limit in bytes on the private arrays of all threads, so small that points run in batches.
const PRIVATE_LIMIT: i64 = 60;

/// The verified kernel program, or the reason why there is none.
fn kernel(program: &core::Program, target: &Target) -> Result<Program, String> {
    kernel_without(&[], program, target)
}

/// The same with some rules of `flatten` switched off.
fn kernel_without(
    rules: &[&'static str],
    program: &core::Program,
    target: &Target,
) -> Result<Program, String> {
    let mut flat = program.clone();
    (flatten::PASS.run)(&mut flat, &mut Cx::new(target, u64::MAX).without(rules));
    core::verify(&flat).unwrap_or_else(|error| panic!("{error}\n{}", core::print(&flat)));
    let kernel = to_kernel(&flat, target).map_err(|error| error.message)?;
    let verified = MemProgram::verify(kernel.clone(), target);
    verified.unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    Ok(kernel)
}

/// The rules of `flatten` that fire.
fn fired(program: &core::Program, target: &Target) -> Vec<&'static str> {
    let mut cx = Cx::new(target, u64::MAX);
    (flatten::PASS.run)(&mut program.clone(), &mut cx);
    let fired = cx.take_events().into_iter().filter(|event| event.refused.is_none());
    fired.map(|event| event.rule).collect()
}

/// The program after all passes over kernel IR, verified after each.
fn with_less_memory(mut program: Program, target: &Target) -> Program {
    let mut cx = Cx::new(target, u64::MAX);
    for pass in KERNEL {
        let before = program.clone();
        (pass.run)(&mut program, &mut cx);
        let verified = MemProgram::verify(program.clone(), target);
        verified.unwrap_or_else(|error| panic!("after {}: {error}\n{before}\n{program}", pass.name));
    }
    program
}

/// Programs with every form of statement, separated by lines of dashes.
const CASES: &str = include_str!("cases.core");

#[test]
fn kernels_agree_with_the_interpreter() {
    for text in CASES.split("----\n") {
        let program = program(text);
        for target in [Target::CPU, Target::GPU] {
            match kernel(&program, &target) {
                Ok(kernel) => {
                    let runs = (0..16).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
                    assert!(runs > 4, "too few runs have results\n{text}");
                }
                Err(message) => {
                    assert!(target == Target::GPU && message.contains("on the GPU yet"), "{message}");
                }
            }
        }
    }
}

/// Streams at host level and in threads, with arrays as long as a chunk and longer.
const STREAMS: [&str; 4] = [
    "fun main (n: i64, xs: [n]i32) -> (r: [n]i32, s: i32, t: [2]i32) = {
      let (a: [n]i32, b: i32, c: [2]i32) = stream n { from xs chunk \\(k: i64, at: i64, y: [k]i32) -> {
        let k1: i64 = add k 1
        let l: i64 = mul k 3
        let ks: [k1]i64 = iota k1 at 1
        let ls: [l]i32 = replicate l 1i32
        let z: [k]i32 = screma k { from y, iota 0 1 map \\(e: i32, i: i64) -> {
          let u: i64 = ks[i]
          let v: i32 = convert i32 u
          let w: i32 = ls[i]
          let o: i32 = mul v w
          let q: i32 = add e o in q } to map }
        let p: i32 = screma k { from y map \\(e2: i32) -> e2 to reduce \\(f: i32, g: i32) -> { let h: i32 = add f g in h } (0i32) }
        let d: [2]i32 = [p, 1i32]
        in (z, p, d) }
        to map
        to reduce \\(a1: i32, b1: i32) -> { let c1: i32 = mul a1 3i32 let d1: i32 = add c1 0i32 let e1: i32 = sub c1 d1 let f1: i32 = add e1 b1 let g1: i32 = add f1 a1 in g1 }
        to reduce \\(a2: [2]i32, b2: [2]i32) -> {
          let c2: [2]i32 = screma 2 { from a2, b2 map \\(l2: i32, r2: i32) -> { let s2: i32 = add l2 r2 in s2 } to map }
          let d2: [2]i32 = c2 with [1] = 1i32
          in d2 } }
      in (a, b, c)
    }
    entry main = main (xs = xs) -> (*r, s, *t)",
    "fun main (n: i64, m: i64, xs: [n][m]i32) -> (r: [n][m]i32, s: [n]i32) = {
      let (a: [n][m]i32, b: [n]i32) = screma n { from xs map \\(x: [m]i32) -> {
        let y: [m]i32 = stream m { from x chunk \\(k: i64, at: i64, c: [k]i32) -> {
          let some: bool = lt 0 k
          let d: [k]i32 = assert some (c) \"a chunk is empty\"
          let e: [k]i32 = copy d
          let f: [k]i32 = e with [0] = 7i32
          in f } to map }
        let z: i32 = stream m { from x chunk \\(k2: i64, at2: i64, c2: [k2]i32) -> {
          let p: i32 = screma k2 { from c2 map \\(e2: i32) -> e2 to reduce \\(g: i32, h: i32) -> { let i: i32 = max g h in i } (-9i32) }
          in p } to reduce \\(a1: i32, b1: i32) -> { let c1: i32 = max a1 b1 in c1 } }
        in (y, z) } to map to map }
      in (a, b)
    }
    entry main = main (xs = xs) -> (*r, *s)",
    "fun main (n: i64, m: i64, xs: [n][m]i32, ys: [m]i32) -> (r: [n][m]i32, s: [m]i32) = {
      let (a: [n][m]i32, b: [m]i32) = stream n { from xs chunk \\(k: i64, at: i64, x: [k][m]i32) -> {
        let y: [k][m]i32 = screma k { from x map \\(e: [m]i32) -> { let f: [m]i32 = slice e[0 : m : 1] in f } to map }
        in (y, ys) }
        to map
        to reduce \\(c: [m]i32, d: [m]i32) -> d }
      in (a, b)
    }
    entry main = main (xs = xs, ys = ys) -> (*r, *s)",
    "fun main (n: i64, m: i64, xs: [n][m]i32) -> (r: [n]i32, s: i32, t: [2]i32) = {
      let one: [2]i32 = replicate 2 1i32
      let (b: [n]i32) = screma n { from xs map \\(x: [m]i32) -> {
        let (y: i32, z: [2]i32, u: [m]i32) = stream m { from x chunk \\(k: i64, at: i64, c: [k]i32) -> {
          let some: bool = lt 0 k
          let d: [k]i32 = assert some (c) \"a chunk is empty\"
          let kl: i64 = sub k 1
          let e: i32 = d[kl]
          let f: [2]i32 = [e, 3i32]
          in (e, f, d) }
          to reduce \\(p: i32, q: i32) -> q (-9i32)
          to reduce \\(g: [2]i32, h: [2]i32) -> h (one)
          to map }
        let v: i32 = z[0]
        let w: i32 = add y v
        let l: i32 = screma m { from u map \\(ul: i32) -> ul to reduce \\(ua: i32, ub: i32) -> { let uc: i32 = add ua ub in uc } (0i32) }
        let w2: i32 = add w l
        in w2 } to map }
      let (s0: i32, t0: [2]i32) = stream n { from b chunk \\(k2: i64, at2: i64, c2: [k2]i32) -> {
        let some2: bool = lt 0 k2
        let d2: [k2]i32 = assert some2 (c2) \"a chunk is empty\"
        let kl2: i64 = sub k2 1
        let e2: i32 = d2[kl2]
        let f2: [2]i32 = [e2, 3i32]
        let k3: i32 = convert i32 k2
        in (k3, f2) }
        to reduce \\(p2: i32, q2: i32) -> { let o2: i32 = add p2 q2 in o2 } (0i32)
        to reduce \\(g2: [2]i32, h2: [2]i32) -> h2 (one) }
      in (b, s0, t0)
    }
    entry main = main (xs = xs) -> (*r, s, *t)",
];

#[test]
fn streams_have_the_chunk_size_of_the_target() {
    for text in STREAMS {
        let program = program(text);
        for base in [Target::CPU, Target::GPU, Target { private_capacity: 0, ..Target::GPU }] {
            for stream_chunk in [1, 2, 64] {
                let target = Target { stream_chunk, ..base.clone() };
                let kernel = kernel(&program, &target).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let runs = (0..16).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
                assert!(runs > 8, "too few runs have results\n{text}");
            }
        }
    }
}

#[test]
fn a_stream_without_a_chunk_size_is_one_chunk() {
    for text in STREAMS {
        let program = program(text);
        let rules: Vec<&str> = flatten::PASS.rules.to_vec();
        for target in [Target::CPU, Target::GPU] {
            let kernel =
                kernel_without(&rules, &program, &target).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let runs = (0..16).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
            assert!(runs > 8, "too few runs have results\n{text}");
        }
    }
}

#[test]
fn counts_that_overflow_exceed_the_memory() {
    let text = "fun main (k: i64, m: i64) -> (r: [k][m][4]i32) = {
        let z: [4]i32 = [1i32, 2i32, 3i32, 4i32]
        let y: [m][4]i32 = replicate m z
        let r_: [k][m][4]i32 = replicate k y
        in r_
      }
      entry main = main (k, m) -> (*r)";
    for target in [Target::CPU, Target::GPU] {
        let kernel = kernel(&program(text), &target).expect("nothing is refused");
        let run = |k: i64, m: i64| run(&kernel, &target, &[], &[k.into(), m.into()]);
        let too_large = Err(abi::Failure::out_of_memory(i64::MAX as u128 * 4));
        assert_eq!(run(1 << 61, 3), too_large);
        assert_eq!(run(3, 1 << 61), too_large);
        assert_eq!(run(1 << 62, 1 << 10), too_large);
        assert!(run(1 << 62, 0).is_ok_and(|results| results[0].shape() == [1 << 62, 0, 4]));
        assert!(run(2, 3).is_ok_and(|results| results[0].shape() == [2, 3, 4]));
    }
}

/// Runs a program and its kernel, with all memory and with less, on generated arguments. Returns false if the
/// interpreter rejects the arguments.
fn agrees(program: &core::Program, kernel: &Program, target: &Target, seed: i64) -> bool {
    agree(program, kernel, target, seed)
        && agree(program, &with_less_memory(kernel.clone(), target), target, seed)
}

fn agree(program: &core::Program, kernel: &Program, target: &Target, seed: i64) -> bool {
    let (sizes, args) = arguments(program, seed);
    let name = program.entries[0].name;
    let expected =
        ravel_interp::run(program, name, &args, ravel_interp::Options::default(), &|_| String::new());
    let found = run(kernel, target, &sizes, &args);
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            assert_eq!(expected, found, "arguments {args:?}\n{kernel}");
            true
        }
        (Err(abi::Failure::Program { .. }), Err(abi::Failure::Program { .. })) => true,
        (Err(abi::Failure::Bug(_)), _) => false,
        (expected, found) => panic!("{expected:?} is not {found:?} for {args:?}\n{kernel}"),
    }
}

/// The results of the only entry point on the machine model.
fn run(
    kernel: &Program,
    target: &Target,
    sizes: &[i64],
    args: &[abi::Value],
) -> Result<Vec<abi::Value>, abi::Failure> {
    outcome(kernel, target, sizes, args).map(|outcome| outcome.results)
}

/// Runs the only entry point on the machine model.
fn outcome(
    kernel: &Program,
    target: &Target,
    sizes: &[i64],
    args: &[abi::Value],
) -> Result<Outcome, abi::Failure> {
    let kernel =
        MemProgram::verify(kernel.clone(), target).unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    let options = ravel_model::Options {
        device: &DEVICE,
        tuning: &abi::Tuning::default(),
        stop: None,
        private_limit: PRIVATE_LIMIT,
    };
    let name = kernel.entries[0].name;
    ravel_model::run(&kernel, name, sizes, args, options, &|_| String::new())
}

/// Sizes and arguments for the only entry point.
fn arguments(program: &core::Program, seed: i64) -> (Vec<i64>, Vec<abi::Value>) {
    let entry = &program.entries[0];
    let function = program.functions.iter().find(|f| f.name == entry.function).expect("the entry's function");
    let mut dice = 77 + seed;
    let mut throw = |below: i64| {
        dice = (dice * 1_103_515_245 + 12_345) % 2_147_483_648;
        (dice >> 8) % below
    };
    let mut scalars: FxHashMap<core::Var, i64> = FxHashMap::default();
    for param in &function.params {
        if function.vars[param.var].ty.is_scalar() {
            scalars.insert(param.var, throw(6));
        }
    }
    let is_value = |var| entry.params.iter().any(|value| value.var == var);
    let hidden = function.params.iter().filter(|param| !is_value(param.var)).map(|param| scalars[&param.var]);
    let mut sizes: Vec<i64> = hidden.collect();
    let mut named = Vec::new();
    let mut args = Vec::new();
    for value in &entry.params {
        let ty = &function.vars[value.var].ty;
        let size = |atom: &core::Atom| match *atom {
            core::Atom::Var(var) => scalars[&var],
            core::Atom::Const(value) => value.as_i64().expect("sizes are i64"),
        };
        for size in ty.shape.iter().filter_map(|size| size.var()).filter(|&size| is_value(size)) {
            if !named.contains(&size) {
                named.push(size);
            }
        }
        if ty.is_scalar() {
            args.push(abi::Value::Scalar(number(ty.elem, scalars[&value.var])));
            continue;
        }
        let shape: Vec<usize> = ty.shape.iter().map(|atom| size(atom) as usize).collect();
        let count = shape.iter().product();
        let mut data = abi::Data::zeros(ty.elem, count as u128).expect("a few elements");
        for at in 0..count {
            assert!(data.set(at, number(ty.elem, throw(9) - 3)));
        }
        args.push(abi::Value::Array(abi::Array { shape, data }));
    }
    sizes.extend(named.iter().map(|size| scalars[size]));
    (sizes, args)
}

fn number(ty: PrimType, value: i64) -> PrimValue {
    match ty {
        PrimType::Bool => PrimValue::Bool(value % 2 == 0),
        ty => convert(PrimValue::I64(value), ty),
    }
}
