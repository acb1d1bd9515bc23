//! Core text in, kernel text out; every output is verified for both targets and run on a
//! suspicious machine, which must come to what the interpreter says.

mod forms;
mod machine;

use std::collections::HashMap;

use ravel_abi as abi;
use ravel_core as core;
use ravel_kernel::{MemProgram, Program, Target};
use ravel_prim::{PrimType, PrimValue, convert};

use self::machine::{Data, Stop};
use super::kernelise;

fn program(text: &str) -> core::Program {
    let program = core::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    core::verify(&program).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    program
}

/// The verified kernel program, or why there is none.
fn kernel(program: &core::Program, target: &Target) -> Result<Program, String> {
    let kernel = kernelise(program, target).map_err(|error| error.message)?;
    let verified = MemProgram::verify(kernel.clone(), target);
    verified.unwrap_or_else(|error| panic!("{error}\n{kernel}"));
    Ok(kernel)
}

/// Programs with every form of statement, apart by lines of dashes.
const CASES: &str = include_str!("cases.core");

#[test]
fn kernels_do_what_the_interpreter_says() {
    for text in CASES.split("----\n") {
        let program = program(text);
        for target in [Target::CPU, Target::GPU] {
            match kernel(&program, &target) {
                Ok(kernel) => {
                    let runs = (0..16).filter(|&seed| agrees(&program, &kernel, seed)).count();
                    assert!(runs > 4, "hardly any run comes to something\n{text}");
                }
                Err(message) => {
                    assert!(
                        target == Target::GPU && message.contains("differs between threads"),
                        "{message}"
                    );
                }
            }
        }
    }
}

#[test]
fn counts_that_overflow_are_too_large() {
    let text = "fun main (k: i64, m: i64) -> (r: [k][m][4]i32) = {
        let z: [4]i32 = [1i32, 2i32, 3i32, 4i32]
        let y: [m][4]i32 = replicate m z
        let r_: [k][m][4]i32 = replicate k y
        in r_
      }
      entry main = main (k, m) -> (*r)";
    let number =
        |value: i64| Data { elem: PrimType::I64, shape: Vec::new(), elements: vec![PrimValue::I64(value)] };
    for target in [Target::CPU, Target::GPU] {
        let kernel = kernel(&program(text), &target).expect("nothing is refused");
        let run = |k: i64, m: i64| machine::run(&kernel, &[], &[number(k), number(m)]);
        let too_large = Err(Stop::Fault("a block of 9223372036854775807".into()));
        assert_eq!(run(1 << 61, 3), too_large);
        assert_eq!(run(3, 1 << 61), too_large);
        assert_eq!(run(1 << 62, 1 << 10), too_large);
        assert!(run(1 << 62, 0).is_ok_and(|results| results[0].shape == [1 << 62, 0, 4]));
        assert!(run(2, 3).is_ok_and(|results| results[0].elements.len() == 24));
    }
}

/// Runs both on made-up arguments. False if the arguments make no sense to the interpreter.
fn agrees(program: &core::Program, kernel: &Program, seed: i64) -> bool {
    let (sizes, args) = arguments(program, seed);
    let name = program.entries[0].name;
    let inputs: Vec<abi::Value> = args.iter().map(to_abi).collect();
    let expected = ravel_interp::run(program, name, &inputs, None, &|_| String::new());
    let found = machine::run(kernel, &sizes, &args);
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            let found: Vec<abi::Value> = found.iter().map(to_abi).collect();
            assert_eq!(expected, found, "arguments {args:?}\n{kernel}");
            true
        }
        (Err(abi::Failure::Program { .. }), Err(Stop::Assertion(_))) => true,
        (Err(abi::Failure::Bug(_)), _) => false,
        (expected, found) => panic!("{expected:?} is not {found:?} for {args:?}\n{kernel}"),
    }
}

/// Sizes and arguments for the only entry point.
fn arguments(program: &core::Program, seed: i64) -> (Vec<i64>, Vec<Data>) {
    let entry = &program.entries[0];
    let function = program.functions.iter().find(|f| f.name == entry.function).expect("the entry's function");
    let mut dice = 77 + seed;
    let mut throw = |below: i64| {
        dice = (dice * 1_103_515_245 + 12_345) % 2_147_483_648;
        (dice >> 8) % below
    };
    let mut scalars: HashMap<core::Var, i64> = HashMap::new();
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
        let shape: Vec<i64> = ty.shape.iter().map(size).collect();
        let elements = match ty.is_scalar() {
            true => vec![number(ty.elem, scalars[&value.var])],
            false => (0..shape.iter().product()).map(|_| number(ty.elem, throw(9) - 3)).collect(),
        };
        args.push(Data { elem: ty.elem, shape, elements });
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

fn to_abi(data: &Data) -> abi::Value {
    if data.shape.is_empty() {
        return abi::Value::Scalar(data.elements[0]);
    }
    let shape = data.shape.iter().map(|&size| size as usize).collect();
    let mut elements = abi::Data::zeros(data.elem, data.elements.len() as u128).expect("a few elements");
    for (index, &element) in data.elements.iter().enumerate() {
        assert!(elements.set(index, element));
    }
    abi::Value::Array(abi::Array { shape, data: elements })
}
