//! Tests of native code: programs in kernel text are compiled and run, and their results and failures compared.

mod blocks;
mod bodies;
mod calls;
mod combine;
mod failures;
mod iterations;
mod lanes;
mod memory;
mod rows;
mod scalars;
mod sections;
mod statements;
mod text;
mod unroll;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::{Array, Data, Failure, Value};
use ravel_cpu::{Options, Program, Stats};
use ravel_kernel::{MemProgram, Target, parse};
use ravel_native::Choice;
use ravel_prim::PrimValue;

/// Compiles and loads a program in kernel text.
fn load(text: &str) -> Program {
    load_for(text, &Target::CPU, Choice::ByCost)
}

/// The program, compiled for a target with this choice of segments for lanes.
fn load_for(text: &str, target: &Target, choice: Choice) -> Program {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = MemProgram::verify(program, target).expect("a valid program");
    let describe = |span: ravel_base::Span| format!("at {}", span.start);
    let blob = ravel_native::compile(&program, choice, &describe).expect("native code");
    Program::load(blob).expect("loads")
}

fn options(threads: usize) -> Options {
    Options {
        threads,
        stop: Arc::new(AtomicBool::new(false)),
        memory: 1 << 30,
        private_limit: 1 << 30,
        profile: None,
    }
}

/// Calls the entry point `f`. The results must be the same on one and two threads.
fn run(program: &Program, args: &[Value]) -> Result<Vec<Value>, Failure> {
    let one = measured(program, args).map(|(values, _)| values);
    let two = program.call("f", args, &options(2)).map(|(values, _)| values);
    assert_eq!(bits(&one), bits(&two), "the results depend on the number of threads");
    one
}

/// Calls the entry point `f` on one thread. Returns the results and the cost of the call.
fn measured(program: &Program, args: &[Value]) -> Result<(Vec<Value>, Stats), Failure> {
    program.call("f", args, &options(1))
}

/// A result as text that differs if any bit differs.
fn bits(result: &Result<Vec<Value>, Failure>) -> String {
    match result {
        Ok(values) => format!("{:?}", ravel_abi::write_binary(values)),
        Err(failure) => format!("{failure:?}"),
    }
}

fn i64s(elements: impl IntoIterator<Item = i64>) -> Value {
    vector(Data::I64(elements.into_iter().collect()))
}

fn vector(data: Data) -> Value {
    Value::Array(Array { shape: vec![data.len()], data })
}

fn scalar(value: impl Into<PrimValue>) -> Value {
    Value::Scalar(value.into())
}
