//! # xtask: the tasks of development
//!
//! `cargo xtask TASK` runs one of the tasks below; without one it lists them. `--help` describes a task, and builds and
//! runs nothing.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tasks run commands and print"
)]

mod aarch64;
mod accuracy;
mod bench;
mod ci;
mod client;
mod codes;
mod data;
mod demo;
mod imports;
mod measure;
mod mutants;
mod programs;
mod random;
mod tidy;
mod verdict;

use std::process::ExitCode;

/// A task: its name, its arguments, a description, and its function.
struct Task {
    name: &'static str,
    args: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const TASKS: &[Task] = &[
    Task {
        name: "demo",
        args: "",
        about: "compile and run programs/sobol/pi.dsl on the CPU, and on the GPU if there is one",
        run: |_| demo::demo(),
    },
    Task {
        name: "test",
        args: "[--quick]",
        about: "run every check and every test of the workspace, setting up what they need; with --quick those that find most faults in little time, without a GPU; client, aarch64 and outside are not among them, since they build or fetch more",
        run: ci::test,
    },
    Task {
        name: "client",
        args: "",
        about: "drive an executable on CPU and GPU with the client of the server protocol from PyPI",
        run: |_| client::client(),
    },
    Task {
        name: "aarch64",
        args: "",
        about: "cross-build the compiler for AArch64, and run the test blocks on the CPU backend under QEMU; if a package or the Rust target is missing, say which",
        run: |_| aarch64::aarch64(),
    },
    Task {
        name: "outside",
        args: "",
        about: "test a crate outside of the workspace that uses the engine as a library",
        run: |_| ci::outside(),
    },
    Task {
        name: "tidy",
        args: "",
        about: "list the crates; check their imports, the headers and sizes of files, and that every error code has a page and a test",
        run: |_| tidy::tidy(),
    },
    Task {
        name: "measure",
        args: "",
        about: "print the table of docs/measurements.md, measured on this machine",
        run: |_| measure::measure(),
    },
    Task {
        name: "accuracy",
        args: "[WORD]",
        about: "compare the functions of f64 and f32 with MPFR on many points each, on CPU and GPU, and write docs/accuracy.md; with a word, print the rows of those whose names contain it",
        run: accuracy::accuracy,
    },
    Task {
        name: "fuzz",
        args: "[--programs N] [--seed S] [--first N] [--whole] [--reads] | --lanes N [--seed S] [--first N] | --blocks N [--seed S] | --full N [--seed S] | --bins N [--seed S]",
        about: "optimise and run N random programs, from the program with the number --first on, and count how often every rule fires; another seed gives other programs; with --reads, programs may read out of bounds, and must then fail; with --whole, a wrong program is not shrunk; with --lanes, run N random thread bodies on the CPU without vectors and in vectors of each size that the processor has, and on the model; with --blocks, run N programs with workgroups on the interpreter, the CPU, the model and the GPU; with --full, the same with fully flattened nests; with --bins, the same with irregular nests whose points are in bins",
        run: random::fuzz,
    },
    Task {
        name: "bisect",
        args: "FILE [--seed S]",
        about: "find the single firing of a rule that makes a program wrong",
        run: |args| random::task("bisect", args),
    },
    Task {
        name: "mutants",
        args: "[WORDS] [--new] [--record]",
        about: "apply each mutant of tests/mutants.txt and report which check catches it; with words, those whose names contain one of them; with --new, those without a row in docs/fuzzing.md; with --record, write the table to docs/fuzzing.md",
        run: mutants::mutants,
    },
    Task {
        name: "data",
        args: "PROGRAM SIZE FILE [ENTRY]",
        about: "write the input of a program at a size, in the binary format, for an entry point such as main_f32 if one is named; a relative FILE is below the root of the workspace",
        run: data::data,
    },
    Task {
        name: "programs",
        args: "[BACKEND [WORD]]",
        about: "run all programs at all sizes and compare with the references; with a word, those cases whose names contain it",
        run: programs::programs,
    },
    Task {
        name: "bench",
        args: "[PAGE [WORD]]",
        about: "measure all programs against sequential Rust (PAGE cpu or gpu), or primitives and classics against sequential Rust and rayon (classics), or count them on the machine model (model), and write docs/benchmarks/PAGE.md; with a word, print the rows of those cases whose names contain it",
        run: bench::bench,
    },
];

impl Task {
    /// How to call the task, and what it does.
    fn help(&self) -> String {
        format!("cargo xtask {:22} {}", format!("{} {}", self.name, self.args), self.about)
    }
}

/// Whether the argument asks what a task does.
fn is_help(arg: &String) -> bool {
    arg == "--help" || arg == "-h"
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let asks_for_help = args.iter().any(is_help);
    let Some(task) = TASKS.iter().find(|task| args.first().is_some_and(|wanted| wanted == task.name)) else {
        let list: Vec<_> = TASKS.iter().map(Task::help).collect();
        let list = list.join("\n");
        if asks_for_help {
            println!("{list}");
            return ExitCode::SUCCESS;
        }
        eprintln!("{list}");
        return ExitCode::from(2);
    };
    if asks_for_help {
        println!("{}", task.help());
        return ExitCode::SUCCESS;
    }
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    if let Err(trouble) = std::env::set_current_dir(root) {
        eprintln!("cannot go to the root of the workspace: {trouble}");
        return ExitCode::FAILURE;
    }
    match (task.run)(&args[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{}: {trouble}", task.name);
            ExitCode::FAILURE
        }
    }
}
