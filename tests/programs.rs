//! The programs on data of their real shapes, against references that know no compiler.

use ravel_abi::Value;
use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine, Executable, Stats};
use ravel_prim::PrimValue;
use ravel_support::{bfs, digest, sobol};

fn load(backend: Backend, threads: Option<usize>, name: &str) -> Executable {
    let path = crate::books::root().join("../programs").join(name);
    let source = Source::new(name, crate::books::text(&path));
    let engine = Engine::open(backend, threads).expect("the backend is there");
    engine.compile(&source, &Options::default()).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"))
}

/// Calls `main`.
fn call(program: &Executable, args: &[Value]) -> (Vec<Value>, Stats) {
    program.call("main", args).unwrap_or_else(|failure| panic!("{failure}"))
}

fn pi(program: &Executable, points: i32) -> u64 {
    let (results, _) = call(program, &[Value::Scalar(PrimValue::I32(points))]);
    match results[..] {
        [Value::Scalar(PrimValue::F64(estimate))] => (estimate * f64::from(points) / 4.0).round() as u64,
        _ => panic!("not one f64: {results:?}"),
    }
}

#[test]
fn pi_counts_the_points_that_the_reference_counts() {
    for (backend, lengths) in [
        (Backend::Interp, &[1_000, 16_000][..]),
        (Backend::Cpu, &[1, 1_000, 16_000, 64_000, 256_000, 1_000_000, 2_000_000, 8_000_000]),
        (Backend::Gpu, &[1, 1_000, 16_000, 64_000, 256_000, 1_000_000]),
    ] {
        let program = load(backend, None, "sobol/pi.dsl");
        for &points in lengths {
            assert_eq!(
                pi(&program, points),
                sobol::hits(points as u32),
                "{points} points on {}",
                backend.name()
            );
        }
    }
}

#[test]
fn pi_is_one_segment_without_an_array_of_numbers() {
    let program = load(Backend::Cpu, Some(1), "sobol/pi.dsl");
    let (_, stats) = call(&program, &[Value::Scalar(PrimValue::I32(1_000_000))]);
    assert!(stats.peak_bytes < 64 * 1024, "{stats:?}");
}

#[test]
fn breadth_first_search_finds_the_levels_of_the_reference() {
    for backend in [Backend::Interp, Backend::Cpu, Backend::Gpu] {
        let program = load(backend, None, "bfs/padded.dsl");
        for (family, expected) in bfs::LEVEL_DIGESTS {
            if *family == "d5" && backend == Backend::Interp {
                continue;
            }
            let graph = bfs::graph(family, 1).expect("a known family");
            let (results, stats) = call(&program, &graph.values());
            assert_eq!(digest::sha256(&results[0]), *expected, "{family} on {}", backend.name());
            if backend == Backend::Gpu {
                check_traffic(family, &graph, &stats);
            }
        }
    }
}

/// On a GPU each level may submit twice and read back 32 bytes, with some more before and behind the loop.
fn check_traffic(family: &str, graph: &bfs::Graph, stats: &Stats) {
    let levels = graph.levels().into_iter().max().map_or(0, |deepest| deepest as u64 + 1);
    assert!(stats.submits <= 2 * (levels + 2), "{family}: {stats:?}, {levels} levels");
    assert!(stats.bytes_read_back <= 32 * (levels + 2), "{family}: {stats:?}, {levels} levels");
}

#[test]
fn threads_do_not_change_a_result() {
    let one = load(Backend::Cpu, Some(1), "sobol/pi.dsl");
    let two = load(Backend::Cpu, Some(2), "sobol/pi.dsl");
    let args = [Value::Scalar(PrimValue::I32(123_457))];
    assert_eq!(call(&one, &args).0, call(&two, &args).0);
}
