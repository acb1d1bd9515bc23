//! Core programs written by hand, in forms that the compiler produces rarely or never: every backend gives the
//! interpreter's results.

mod layouts;
mod segmented;

use std::sync::{Arc, LazyLock};

use ravel_abi::{Array, Data, Failure, Tuning, Value, write_text};
use ravel_core::Program;
use ravel_driver::{Options, Passes, run_core_passes, run_kernel_passes};
use ravel_gpu::Gpu;
use ravel_kernel::{MemProgram, Target};
use ravel_random::property::DEVICE;

static GPU: LazyLock<Gpu> = LazyLock::new(|| Gpu::open().expect("a device"));

/// The place of a statement in the source, as a failure shows it. Programs that are read as core IR have no source.
fn nowhere(_: ravel_base::Span) -> String {
    String::new()
}

/// Flattens a program and translates it to optimised kernel IR, without the other passes over core IR.
fn kernel(program: &Program, target: &Target) -> MemProgram {
    let core = vec![&ravel_passes::flatten::PASS, &ravel_passes::layout::PASS];
    let options = Options { passes: Some(Passes { core, ..Passes::default() }), ..Options::default() };
    let flat = run_core_passes(program.clone(), &options, target, None)
        .unwrap_or_else(|bug| panic!("{}", bug.message));
    let kernel = ravel_passes::to_kernel(&flat, target);
    let kernel = kernel.unwrap_or_else(|wrong| panic!("{}\n{}", wrong.message, ravel_core::print(&flat)));
    let text = kernel.to_string();
    let kernel = MemProgram::verify(kernel, target).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
    let done = run_kernel_passes(kernel, &Options::default(), None);
    done.unwrap_or_else(|bug| panic!("{}\n{text}", bug.message))
}

type Results = Result<Vec<Value>, Failure>;

fn on_cpu(kernel: &MemProgram, threads: usize, args: &[Value]) -> Results {
    let blob = ravel_native::compile(kernel, ravel_native::Choice::ByCost, &nowhere)
        .unwrap_or_else(|bug| panic!("{}", bug.message));
    let code = ravel_cpu::Program::load(blob).expect("native code that loads");
    let options = ravel_cpu::Options { threads, ..ravel_cpu::Options::default() };
    code.call("main", args, &options).map(|(values, _)| values)
}

fn on_gpu(kernel: &MemProgram, args: &[Value]) -> Results {
    let plan = ravel_wgsl::compile(kernel, &nowhere).unwrap_or_else(|bug| panic!("{}", bug.message));
    let code = GPU.load(plan).expect("a plan that loads");
    code.call("main", args, Arc::default(), None).map(|(values, _)| values)
}

fn on_model(kernel: &MemProgram, args: &[Value]) -> Results {
    let entry = &kernel.entries[0];
    let sizes = kernel.signature(entry).bind_sizes(args)?;
    let tuning = Tuning::default();
    let options =
        ravel_model::Options { device: &DEVICE, tuning: &tuning, stop: None, private_limit: 1 << 24 };
    ravel_model::run(kernel, entry.name, &sizes, args, options, &nowhere).map(|outcome| outcome.results)
}

/// A program, compiled for every backend.
struct HandwrittenProgram {
    text: String,
    program: Program,
    cpu: MemProgram,
    gpu: MemProgram,
}

impl HandwrittenProgram {
    /// The program of this text, whose entry point is `main`.
    fn new(text: &str) -> HandwrittenProgram {
        let program = ravel_core::parse(text).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
        ravel_core::verify(&program).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
        let [cpu, gpu] = [Target::CPU, Target::GPU].map(|target| kernel(&program, &target));
        HandwrittenProgram { text: text.to_owned(), program, cpu, gpu }
    }

    /// Checks that every backend gives the interpreter's results, or its failure; returns them.
    fn check(&self, args: &[Value]) -> Results {
        let options = ravel_interp::Options::default();
        let expected = ravel_interp::run(&self.program, "main".into(), args, options, &nowhere);
        let found = [
            ("one thread", on_cpu(&self.cpu, 1, args)),
            ("three threads", on_cpu(&self.cpu, 3, args)),
            ("the GPU", on_gpu(&self.gpu, args)),
            ("the model", on_model(&self.gpu, args)),
        ];
        for (backend, found) in found {
            let text =
                |results: &Results| results.as_ref().map(|values| write_text(values)).map_err(Failure::clone);
            assert_eq!(text(&found), text(&expected), "on {backend}\n{}", self.text);
        }
        expected
    }
}

/// An i32 array of this shape with small numbers of both signs.
fn numbers(shape: &[usize]) -> Value {
    let count = shape.iter().product::<usize>() as i32;
    let data = Data::I32((0..count).map(|at| at.wrapping_mul(7919) % 23 - 11).collect());
    Value::Array(Array { shape: shape.to_vec(), data })
}
