//! Structure tests: counts of constructs, sinks and arrays in optimised programs.

use ravel_abi::Machine;
use ravel_driver::dev::{self, Form};
use ravel_driver::{Ir, Options, Source};

use crate::snapshots;

/// The optimised core IR of a program; `name` is its path relative to `tests`.
fn optimised(name: &str) -> String {
    let path = snapshots::root().join(name);
    let source = Source::new(name, snapshots::text(&path));
    let core = dev::optimised_core(&source, &Options::default(), Machine::Cpu, &mut |_| {});
    core.unwrap_or_else(|wrong| panic!("{name}: {:?}", wrong.diagnostics)).text()
}

/// Checks how often words occur in the optimised core IR of a program.
fn has(name: &'static str, counts: &'static [(&'static str, usize)]) {
    ravel_driver::on_large_stack(move || {
        let text = optimised(name);
        for &(word, count) in counts {
            assert_eq!(text.matches(word).count(), count, "`{word}` in {name}\n{text}");
        }
    });
}

#[test]
fn the_end_of_a_breadth_first_step_is_one_construct_that_writes_four_arrays() {
    has(
        "stages/fusion/breadth-first-step.dsl",
        &[("= screma ", 1), ("to write ", 4), ("to map", 0), ("= copy ", 0), ("= replicate ", 0)],
    );
}

#[test]
fn the_second_half_of_a_breadth_first_step_is_one_construct_with_four_targets() {
    has(
        "stages/fusion/breadth-first-second-half.dsl",
        &[("= screma ", 1), ("to write ", 4), ("to map", 0), ("= copy ", 2), ("= replicate ", 0)],
    );
}

#[test]
fn pricing_over_all_paths_is_one_reduction() {
    has("stages/fusion/pricing.dsl", &[("= screma ", 1), ("to reduce ", 1), ("to map", 0), ("= iota ", 0)]);
}

#[test]
fn a_tridiagonal_system_becomes_three_constructs() {
    has(
        "stages/fusion/tridiagonal.dsl",
        &[("= screma ", 3), ("    scan ", 3), ("= iota ", 0), ("= slice ", 4), (": -1i64]", 4)],
    );
}

/// One construct computes both tables of direction numbers. A second one, inside the sum over the points, computes both
/// coordinates of a point by two reductions.
#[test]
fn pi_stores_no_sobol_number() {
    has("stages/fusion/pi.dsl", &[("= screma ", 3), ("[32]u32 = screma", 0), ("to map", 2)]);
}

/// In f64 and in f32 there is one construct over the points, a reduction, and no array with an element for each point.
#[test]
fn programs_with_points_of_the_library_store_none_of_them() {
    for name in ["../programs/sobol/pi.dsl", "../programs/sobol/sum.dsl"] {
        has(name, &[("= screma v", 2), ("to reduce commutative", 4), (": [v", 0), ("= iota ", 0)]);
    }
}

/// The text of a function.
fn function<'a>(text: &'a str, name: &str) -> &'a str {
    let start = text.find(&format!("fun {name} (")).unwrap_or_else(|| panic!("no {name} in {text}"));
    let text = &text[start..];
    &text[..text.find("\n}").unwrap_or(text.len())]
}

/// The widths of the outermost constructs of a function, in order, with their text.
fn outermost(text: &str, name: &str) -> Vec<(String, String)> {
    let statements = function(text, name).split("\n  let ").skip(1);
    let constructs =
        statements.filter_map(|statement| Some((statement, statement.split_once(" = screma ")?)));
    let here = constructs.filter(|(_, (head, _))| !head.contains('\n'));
    here.map(|(statement, (_, rest))| {
        (rest.split(' ').next().unwrap_or_default().to_owned(), statement.to_owned())
    })
    .collect()
}

/// A portfolio is valued by a lookup in the curve and a map over its options. The parallelism of a tree is inside the map.
#[test]
fn hullwhite_is_a_map_over_options() {
    ravel_driver::on_large_stack(|| {
        let text = optimised("../programs/hullwhite/hullwhite.dsl");
        for entry in ["main", "main_f32"] {
            let constructs = outermost(&text, entry);
            let widths: Vec<&str> = constructs.iter().map(|(width, _)| &**width).collect();
            assert_eq!(widths, ["v1", "v0"], "{entry}");
            assert!(constructs[1].1.contains("\n    to map"), "{entry}");
            assert!(constructs[1].1.matches("= screma ").count() > 3, "{entry}");
        }
    });
}

/// The objective is a sum over quotes, whose inputs are prepared by maps over nodes and over maturities.
#[test]
fn heston_is_a_sum_over_quotes() {
    ravel_driver::on_large_stack(|| {
        let text = optimised("../programs/heston/heston.dsl");
        for entry in ["objective", "objective_f32"] {
            let constructs = outermost(&text, entry);
            let widths: Vec<&str> = constructs.iter().map(|(width, _)| &**width).collect();
            let [nodes, grouped, at_nodes, maturities, quotes] = widths[..] else {
                panic!("{entry}: {widths:?}")
            };
            assert_eq!((grouped, quotes), ("v0", "v0"), "{entry}");
            assert!(nodes == at_nodes && ![nodes, "v0"].contains(&maturities), "{entry}: {widths:?}");
            assert!(constructs[4].1.contains("\n    to reduce "), "{entry}");
        }
    });
}

/// For every construct whose result is a scalar of this type: the widths of the enclosing constructs, the outermost
/// first, and then its own width.
fn sums<'a>(text: &'a str, name: &str, ty: &str) -> Vec<Vec<&'a str>> {
    let mut around: Vec<(usize, &str)> = Vec::new();
    let mut sums = Vec::new();
    for line in function(text, name).lines() {
        let indent = line.len() - line.trim_start().len();
        around.retain(|&(outer, _)| outer < indent);
        let Some((head, rest)) = line.split_once(" = screma ") else { continue };
        around.push((indent, rest.split(' ').next().unwrap_or_default()));
        if head.ends_with(&format!(": {ty}")) {
            sums.push(around.iter().map(|&(_, width)| width).collect());
        }
    }
    sums
}

/// The initial members are evaluated in parallel, and so are the members of each generation, each by a sum over the
/// quotes. The best member is evaluated once more at the end.
#[test]
fn a_heston_calibration_is_a_map_over_members_of_sums_over_quotes() {
    ravel_driver::on_large_stack(|| {
        let text = optimised("../programs/heston/heston.dsl");
        for (entry, ty) in [("main", "f64"), ("main_f32", "f32")] {
            let sums = sums(&text, entry, ty);
            let over_quotes: Vec<_> = sums.iter().filter(|widths| widths.last() == Some(&"v0")).collect();
            let [first, trials, best] = over_quotes[..] else { panic!("{entry}: {sums:?}") };
            assert_eq!((first.len(), best.len()), (2, 1), "{entry}: {sums:?}");
            assert!(first == trials && first[0] != "v0", "{entry}: {sums:?}");
        }
    });
}

/// A map of maps, which runs as one segment. `ravel dev FILE --emit flat --without nest,choose` shows the alternative.
#[test]
fn a_nest_of_maps_runs_as_one_segment() {
    ravel_driver::on_large_stack(|| {
        let text = "entry main [n] [m] (xss: [n][m]i32) (ks: [n]i32): [n][m]i32 = map2 (\\xs k -> map (* k) xs) xss ks\n";
        let source = Source::new("nest.dsl", text);
        let segments = |machine: Machine, without: &[&'static str]| {
            let options = Options { without: without.to_vec(), ..Options::default() };
            let core = dev::optimised_core(&source, &options, machine, &mut |_| {}).expect("it compiles");
            let flat = dev::flatten(&source, &core, &options, machine, &mut |_| {}).expect("it compiles");
            let text = flat.text();
            let heads = text.lines().filter(|line| line.contains("segment grid"));
            let dimensions: Vec<usize> = heads.map(|line| line.matches(" < ").count()).collect();
            (dimensions, text.matches("= screma").count())
        };
        for machine in [Machine::Cpu, Machine::Gpu] {
            assert_eq!(segments(machine, &[]), (vec![2], 0));
            assert_eq!(segments(machine, &["nest", "choose"]), (vec![1], 1));
        }
    });
}

/// Every operation with the attribute, in the programs of `run/blocks`, is a segment of workgroups, unless the rule is off.
#[test]
fn nests_with_the_attribute_run_as_blocks() {
    ravel_driver::on_large_stack(|| {
        for path in snapshots::cases("run/blocks", "dsl") {
            let source = Source::new(snapshots::name(&path), snapshots::text(&path));
            let attributes = source.text().lines().filter(|line| !line.starts_with("--"));
            let attributes: usize = attributes.map(|line| line.matches("#[flattening(block)]").count()).sum();
            let segments = |machine: Machine, without: &[&'static str]| {
                let options = Options { without: without.to_vec(), ..Options::default() };
                let core = dev::optimised_core(&source, &options, machine, &mut |_| {}).expect("it compiles");
                let flat = dev::flatten(&source, &core, &options, machine, &mut |_| {}).expect("it compiles");
                let text = flat.text();
                let heads =
                    text.lines().filter(|line| line.contains("segment grid") && line.ends_with(" block {"));
                (heads.count(), text.contains("segment block"))
            };
            for machine in Machine::ALL {
                // A function may be inlined at several places.
                let (blocks, has_inner) = segments(machine, &[]);
                assert!(
                    blocks >= attributes && has_inner,
                    "{blocks} of {attributes} in {}",
                    snapshots::name(&path)
                );
                assert_eq!(segments(machine, &["block-level"]), (0, false), "{}", snapshots::name(&path));
            }
        }
    });
}

/// Every operation with the attribute, in the programs of `run/bins`, computes its points in bins on a GPU. Without a rule that a nest
/// needs, it does not.
#[test]
fn nests_with_the_attribute_run_in_bins() {
    ravel_driver::on_large_stack(|| {
        for path in snapshots::cases("run/bins", "dsl") {
            let name = snapshots::name(&path);
            let source = Source::new(name.clone(), snapshots::text(&path));
            let attributes = source.text().lines().filter(|line| !line.starts_with("--"));
            let attributes: usize = attributes.map(|line| line.matches("#[flattening(bins").count()).sum();
            // These have no attributes, and get two versions.
            let attributes = if name.ends_with("choose.dsl") { 4 } else { attributes };
            let bins = |machine: Machine, without: &[&'static str]| {
                let options = Options { without: without.to_vec(), ..Options::default() };
                let core = dev::optimised_core(&source, &options, machine, &mut |_| {}).expect("it compiles");
                let flat = dev::flatten(&source, &core, &options, machine, &mut |_| {}).expect("it compiles");
                let text = flat.text();
                text.lines().filter(|line| line.contains("spill") && line.ends_with(" block {")).count()
            };
            assert_eq!(bins(Machine::Gpu, &[]), attributes, "{name}");
            assert_eq!(bins(Machine::Gpu, &["bins"]), 0, "{name}");
            assert!(bins(Machine::Gpu, &["G9"]) < attributes, "{name}");
            assert_eq!(bins(Machine::Cpu, &[]), 0, "{name}");
        }
    });
}

/// The chunks of a stream. `ravel dev FILE --emit kernel --without stream-chunks` shows the alternative, a single chunk.
#[test]
fn the_chunks_of_a_stream_run_in_parallel() {
    ravel_driver::on_large_stack(|| {
        let text = "entry main [n] (xs: [n]i32): i32 =
            stream_red (+) (\\(k: i64) (c: [k]i32) -> loop s = 0 for x in c do s * 2 + x) xs\n";
        let source = Source::new("stream.dsl", text);
        let segments = |machine: Machine, without: &[&'static str]| {
            let options = Options { without: without.to_vec(), ..Options::default() };
            let core = dev::optimised_core(&source, &options, machine, &mut |_| {}).expect("it compiles");
            let flat = dev::flatten(&source, &core, &options, machine, &mut |_| {}).expect("it compiles");
            let kernel = dev::kernelise(&source, &flat, &options, machine, &mut |_| {});
            let text = kernel.expect("it compiles").text();
            let names =
                text.lines().filter_map(|line| line.trim().strip_prefix("segment map \"")?.split('"').next());
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        for machine in Machine::ALL {
            assert_eq!(segments(machine, &[]), ["map", "one_thread"]);
            let single_chunk = segments(machine, &["stream-chunks"]);
            assert!(single_chunk.iter().all(|name| name == "one_thread"), "{single_chunk:?}");
        }
    });
}

/// Histograms and sums of rows are computed in parts of the points and then combined, unless the rule is off. Workgroups of a
/// GPU may compute the histogram in tables, which are then combined too. A single thread combines the sums of parts, and computes a histogram that has too many bins, or whose rule is off.
#[test]
fn arrays_are_combined_in_parts() {
    ravel_driver::on_large_stack(|| {
        let text = "entry counts [n] (is: [n]i64): [8]i32 = hist (+) 0 8 is (replicate n 1)
            entry sums [n] [m] (xss: [n][m]i32): [m]i32 = reduce (map2 (+)) (replicate m 0) xss\n";
        let source = Source::new("parts.dsl", text);
        let segments = |machine: Machine, without: &[&'static str]| {
            let options = Options { without: without.to_vec(), ..Options::default() };
            let core = dev::optimised_core(&source, &options, machine, &mut |_| {}).expect("it compiles");
            let flat = dev::flatten(&source, &core, &options, machine, &mut |_| {}).expect("it compiles");
            let kernel = dev::kernelise(&source, &flat, &options, machine, &mut |_| {}).expect("it compiles");
            let count = |text: &str, word: &str| text.matches(word).count();
            (count(&flat.text(), "segment grid"), count(&kernel.text(), "segment map \"one_thread\""))
        };
        for machine in Machine::ALL {
            let tables = if machine == Machine::Gpu { 2 } else { 0 };
            assert_eq!(segments(machine, &[]), (7 + tables, 2));
            assert_eq!(segments(machine, &["histogram-in-workgroups"]), (7, 2));
            assert_eq!(segments(machine, &["histogram-in-parts"]), (5 + tables, 2));
            assert_eq!(segments(machine, &["histogram-in-parts", "arrays-in-parts"]), (4 + tables, 2));
        }
    });
}

/// The code after a scan runs where the scan ends on a GPU, and is a segment of its own otherwise. Without either rule, a single
/// thread scans and runs it.
#[test]
fn the_code_after_a_scan_runs_in_parallel() {
    ravel_driver::on_large_stack(|| {
        let text = "entry main [n] (xs: [n]i32): [n]i32 = scan (+) 0 xs |> map (\\s -> s * s)\n";
        let source = Source::new("split.dsl", text);
        let segments = |machine: Machine, without: &[&'static str]| {
            let options = Options { without: without.to_vec(), ..Options::default() };
            let core = dev::optimised_core(&source, &options, machine, &mut |_| {}).expect("it compiles");
            let flat = dev::flatten(&source, &core, &options, machine, &mut |_| {}).expect("it compiles");
            let flat = flat.text();
            (flat.matches("= segment grid").count(), flat.matches(" < 1i64) {").count())
        };
        for machine in Machine::ALL {
            let together = if machine == Machine::Cpu { 2 } else { 1 };
            assert_eq!(segments(machine, &[]), (together, 0));
            assert_eq!(segments(machine, &["finish-scan"]), (2, 0));
            assert_eq!(segments(machine, &["finish-scan", "split-scan"]), (1, 1));
        }
    });
}

/// The kernel IR of a program; `name` is its path relative to `tests`.
fn kernel(name: &str, machine: Machine) -> String {
    let source = Source::new(name, snapshots::text(&snapshots::root().join(name)));
    let core = dev::optimised_core(&source, &Options::default(), machine, &mut |_| {});
    core.and_then(|core| dev::emit(&source, &core, Form::Kernel, machine))
        .unwrap_or_else(|wrong| panic!("{name}: {:?}", wrong.diagnostics))
}

#[test]
fn a_hull_white_step_fuses_its_sum_with_its_map_and_alternates_between_two_buffers() {
    has(
        "stages/fusion/hull-white-step.dsl",
        &[("= screma ", 2), ("to reduce ", 1), ("to map", 2), ("= copy ", 0)],
    );
    ravel_driver::on_large_stack(|| {
        for machine in Machine::ALL {
            let iteration = iteration_without_allocation("stages/fusion/hull-white-step.dsl", machine, 3, 0);
            // An iteration passes on its two parameters, swapped.
            let params: Vec<&str> = iteration
                .split(": block f64")
                .take(2)
                .filter_map(|part| part.split(['(', ' ']).next_back())
                .collect();
            let [states, made] = params[..] else { panic!("{params:?} in {iteration}") };
            assert!(iteration.trim_end().ends_with(&format!("yield {made}, {states}")), "{iteration}");
        }
    });
}

/// The rotation is fused with the sum. The two arrays alternate between two blocks.
#[test]
fn a_rotation_in_a_time_loop_allocates_nothing_in_an_iteration() {
    for machine in Machine::ALL {
        ravel_driver::on_large_stack(move || {
            iteration_without_allocation("stages/fusion/rotate-in-time.dsl", machine, 2, 0);
        });
    }
}

/// The arguments are copied first, since the caller keeps them; the results are fresh, so they are not copied.
#[test]
fn arrays_swapped_in_a_time_loop_allocate_nothing_in_an_iteration() {
    for machine in Machine::ALL {
        ravel_driver::on_large_stack(move || {
            let text = kernel("stages/control/turns.dsl", machine);
            iteration_without_allocation("stages/control/turns.dsl", machine, 3, 0);
            assert_eq!(copies_in(&text), 2, "{text}");
        });
    }
}

/// The number of copies in the text of kernel IR: statements, or segments on a GPU.
fn copies_in(text: &str) -> usize {
    text.matches("copy ").count() + text.matches("\"copy\" (").count()
}

/// Checks the only loop of a program in kernel IR, and returns the text of its body. The body allocates nothing and has
/// `copies` copies; `blocks` blocks are allocated before the loop, and none after it.
fn iteration_without_allocation(name: &str, machine: Machine, blocks: usize, copies: usize) -> String {
    let text = kernel(name, machine);
    let (before, rest) = text.split_once("  loop (").expect("a loop");
    let (iteration, after) = rest.split_once("\n  } -> (").expect("its end");
    let count = |text: &str, word: &str| text.matches(word).count();
    assert_eq!((count(iteration, "alloc "), copies_in(iteration)), (0, copies), "{text}");
    assert_eq!((count(before, "alloc "), count(after, "alloc ")), (blocks, 0), "{text}");
    iteration.to_owned()
}

/// The function of the stream evaluates the independent formula once, before its only loop over the chunk, and stores no
/// element.
#[test]
fn sums_of_sobol_numbers_in_chunks_store_no_numbers() {
    has(
        "stages/fusion/sobol-chunks.dsl",
        &[
            ("= stream ", 1),
            ("= screma ", 1),
            ("    scan ", 1),
            ("to reduce ", 2),
            ("to map", 0),
            ("= iota ", 0),
            ("= loop ", 1),
        ],
    );
    ravel_driver::on_large_stack(|| {
        let text = optimised("stages/fusion/sobol-chunks.dsl");
        let parts: Vec<usize> =
            ["= stream ", "= loop ", "= screma "].iter().filter_map(|word| text.find(word)).collect();
        assert!(parts.is_sorted(), "the one evaluation comes before the chunk's numbers:\n{text}");
    });
}

#[test]
fn consumers_of_the_elements_that_filters_keep_fuse_with_the_filters() {
    has(
        "stages/fusion/filters.dsl",
        &[
            ("= screma ", 1),
            ("to reduce ", 2),
            ("scan ", 0),
            ("to write ", 0),
            ("to map", 0),
            ("= scratch", 0),
        ],
    );
    has(
        "stages/fusion/filter-map.dsl",
        &[
            ("= screma ", 1),
            ("    scan ", 1),
            ("to write ", 1),
            ("to reduce ", 1),
            ("to map", 0),
            ("= scratch", 1),
        ],
    );
}

#[test]
fn maps_fuse_with_sums_through_views() {
    has(
        "stages/fusion/views.dsl",
        &[("= screma ", 5), ("to reduce ", 4), ("to map", 2), ("= rearrange ", 1), ("= reshape ", 1)],
    );
}

#[test]
fn a_histogram_fuses_with_a_filter() {
    has(
        "stages/fusion/filter-combine.dsl",
        &[("= screma ", 1), ("to combine ", 1), ("scan ", 0), ("to write ", 0), ("= scratch", 0)],
    );
}

#[test]
fn branches_and_loops_between_a_map_and_a_sum_keep_no_array() {
    has("stages/fusion/branches.dsl", &[("= screma ", 4), ("to reduce ", 4), ("to map", 0)]);
    has("stages/fusion/loop.dsl", &[("= screma ", 1), ("to reduce ", 1), ("to map", 0), ("= loop ", 1)]);
}

#[test]
fn two_scans_of_a_mapped_chunk_are_one_loop_without_an_array() {
    has(
        "stages/fusion/two-scans.dsl",
        &[("= stream ", 1), ("= screma ", 1), ("    scan ", 2), ("to reduce ", 3), ("to map", 0)],
    );
}
