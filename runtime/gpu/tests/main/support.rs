//! Compiles kernel IR text and runs it.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use ravel_abi::{Array, Data, Failure, Plan, Value};
use ravel_gpu::{Gpu, Program, Stats};
use ravel_kernel::{MemProgram, Target, parse};

/// The device that all tests share.
pub(crate) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| Gpu::open().expect("a device for the tests"))
}

/// The program with these entry points.
pub(crate) fn load(text: &str) -> Program {
    try_load(text, &Target::GPU).expect("the device takes the program")
}

/// The program, compiled for a target.
pub(crate) fn try_load(text: &str, target: &Target) -> Result<Program, Failure> {
    gpu().load(plan(text, target))
}

/// The launch plan of the program for a target.
pub(crate) fn plan(text: &str, target: &Target) -> Plan {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = MemProgram::verify(program, target).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let describe = |span: ravel_base::Span| format!("a.dsl:{}-{}", span.start, span.end);
    ravel_wgsl::compile(&program, &describe).unwrap_or_else(|bug| panic!("{}", bug.message))
}

pub(crate) fn try_call(program: &Program, args: &[Value]) -> Result<(Vec<Value>, Stats), Failure> {
    program.call("main", args, Arc::new(AtomicBool::new(false)), None)
}

pub(crate) fn call(program: &Program, args: &[Value]) -> (Vec<Value>, Stats) {
    try_call(program, args).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Compiles and calls `main`.
pub(crate) fn run(text: &str, args: &[Value]) -> Vec<Value> {
    call(&load(text), args).0
}

/// A row of elements.
pub(crate) fn row(data: Data) -> Value {
    Value::Array(Array { shape: vec![data.len()], data })
}

pub(crate) fn i64s(elements: impl IntoIterator<Item = i64>) -> Value {
    row(Data::I64(elements.into_iter().collect()))
}
