//! The kernels and host programs of small programs. The tests of `runtime/gpu` run such kernels.

use naga::back::spv;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, Scalar, ScalarKind, TypeInner};
use ravel_abi::Plan;
use ravel_base::diagnostic::Kind;
use ravel_base::{Diagnostic, Limitation};
use ravel_kernel::{MemProgram, Target, parse};

use crate::shader::Needs;

fn compile(text: &str) -> Result<Plan, Diagnostic> {
    compile_for(&Target::GPU, text)
}

fn compile_for(target: &Target, text: &str) -> Result<Plan, Diagnostic> {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = MemProgram::verify(program, target).expect("lawful");
    super::compile(&program, &|span| format!("{span:?}"))
}

/// The plan. naga must also translate every kernel to SPIR-V, which fails for some modules that it validates. The types
/// of the kernel's expressions must need exactly what the kernel states.
fn plan(text: &str) -> Plan {
    let plan = compile(text).unwrap_or_else(|bug| panic!("{}", bug.message));
    for kernel in &plan.kernels {
        for wgsl in [Some(&kernel.wgsl), kernel.with_subgroups.as_ref()].into_iter().flatten() {
            let (module, info) = parsed(wgsl);
            let options = spv::Options { lang_version: (1, 3), ..spv::Options::default() };
            let words = spv::write_vec(&module, &info, &options, None).expect("translates");
            assert_eq!(words[0], 0x0723_0203);
            let stated = Needs { i64: kernel.needs_i64, f64: kernel.needs_f64, subgroups: false };
            assert_eq!(stated, needs_of_types(wgsl), "{wgsl}");
        }
    }
    plan
}

fn parsed(wgsl: &str) -> (Module, ModuleInfo) {
    let module = naga::front::wgsl::parse_str(wgsl).expect("parses");
    let capabilities = Capabilities::FLOAT64 | Capabilities::SHADER_INT64 | Capabilities::SUBGROUP;
    let info = Validator::new(ValidationFlags::all(), capabilities).validate(&module).expect("validates");
    (module, info)
}

/// The features that the types of a module, and the types of all its expressions, need.
pub(crate) fn needs_of_types(wgsl: &str) -> Needs {
    let (module, info) = parsed(wgsl);
    let mut needs = Needs::default();
    let mut note = |inner: &TypeInner| {
        if let Some(Scalar { kind, width: 8 }) = inner.scalar() {
            needs.i64 |= matches!(kind, ScalarKind::Sint | ScalarKind::Uint);
            needs.f64 |= kind == ScalarKind::Float;
        }
    };
    module.types.iter().for_each(|(_, ty)| note(&ty.inner));
    let functions = module.functions.iter().map(|(handle, function)| (function, &info[handle]));
    let entry_points = module.entry_points.iter().enumerate();
    let entry_points = entry_points.map(|(at, entry)| (&entry.function, info.get_entry_point(at)));
    for (function, info) in functions.chain(entry_points) {
        for (expression, _) in function.expressions.iter() {
            note(info[expression].ty.inner_with(&module.types));
        }
    }
    needs
}

/// The entry point, or the text of one kernel.
fn show(text: &str, kernel: Option<usize>) -> String {
    let plan = plan(text);
    match kernel {
        Some(kernel) => plan.kernels[kernel].wgsl.clone(),
        None => super::text(&plan).split("// kernel").next().unwrap_or_default().to_owned(),
    }
}

const MAP: &str = r#"message0 = "index ", i64, " out of bounds"
entry "main" [n, m] (xs: block f32 [n], c: bool) -> ([][]f32) {
  let count: i64 = mul(n, m)
  alloc ys: block f32 = count
  view x1: f32 [n] = xs + 0i64 * [1i64]
  view y2: f32 [n, m] = ys + 0i64 * [m, 1i64]
  segment map "tabulate" (i < n, j < m) chunk 1i64 {
    let k: i64 = add(i, j)
    let low: bool = lt(k, n)
    assert low message0(k)
    load x: f32 = x1[k]
    if c {
      let y: f32 = min(x, f32#7fc00000)
      yield y
    } else {
      yield -1.5f32
    } -> (z: f32)
    alloc pb: private f32 = 2i64
    view p: f32 [2i64] = pb + 0i64 * [1i64]
    store p[0i64] = z
    loop (a: f32 = 0f32, b: f32 = 1f32) for t: i32 < 10i32 {
      let s: f32 = add(a, b)
      yield b, s
    } -> (last: f32, next: f32)
    store p[1i64] = last
    load w: f32 = p[1i64]
    store y2[i, j] = w
  }
  yield n, m, ys
}
"#;

#[test]
fn a_map_with_every_statement_of_a_thread() {
    insta::assert_snapshot!(show(MAP, Some(0)));
}

#[test]
fn the_host_program_of_a_map() {
    insta::assert_snapshot!(show(MAP, None));
}

const MEAN: &str = r#"entry "main" [n] (xs: block f64 [n]) -> (f64, i64) {
  view x1: f64 [n] = xs + 0i64 * [1i64]
  alloc sb: block f64 = 1i64
  alloc cb: block i64 = 1i64
  view s: f64 [] = sb + 0i64 * []
  view c: i64 [] = cb + 0i64 * []
  segment reduce (i < n) chunk 64i64 {
    load x: f64 = x1[i]
    yield x, 1i64
  } combine (a1: f64, c1: i64) (a2: f64, c2: i64) neutral (0f64, 0i64) into (s, c) {
    let a: f64 = add(a1, a2)
    let k: i64 = add(c1, c2)
    yield a, k
  }
  load rs: f64 = s[]
  load rc: i64 = c[]
  yield rs, rc
}
"#;

#[test]
fn a_reduction_of_pairs() {
    insta::assert_snapshot!(show(MEAN, Some(0)));
}

#[test]
fn the_host_program_of_a_reduction() {
    insta::assert_snapshot!(show(MEAN, None));
}

const SCAN: &str = r#"message0 = "overflow"
entry "main" [n] (xs: block u32 [n]) -> ([]u32) {
  view x1: u32 [n] = xs + 0i64 * [1i64]
  alloc ys: block u32 = n
  view y1: u32 [n] = ys + 0i64 * [1i64]
  segment scan (i < n) chunk 64i64 {
    load x: u32 = x1[i]
    yield x
  } combine (a: u32) (b: u32) neutral (0u32) into (y1) {
    let s: u32 = add(a, b)
    let fine: bool = le(a, s)
    assert fine message0()
    yield s
  }
  yield n, ys
}
"#;

#[test]
fn a_scan_whose_operator_may_fail() {
    insta::assert_snapshot!(show(SCAN, Some(0)));
}

#[test]
fn the_host_program_of_a_scan() {
    insta::assert_snapshot!(show(SCAN, None));
}

#[test]
fn nesting_that_is_too_deep_is_a_limitation() {
    let limitation = |text: &str| match compile(text) {
        Err(Diagnostic { kind: Kind::Limitation(limitation), .. }) => Some(limitation),
        Err(other) => panic!("{}", other.message),
        Ok(_) => None,
    };
    let nested = |depth: usize| {
        let (open, close) = ("if c { ".repeat(depth), "} else {} ".repeat(depth));
        let text = format!(
            r#"entry "main" [] (c: bool) -> () {{ segment map (i < 1i64) chunk 1i64 {{ {open} {close} }} }}"#
        );
        limitation(&text)
    };
    assert_eq!((nested(30), nested(40)), (None, Some(Limitation::DeviceNesting)));
}

#[test]
fn constants_are_never_operated_on_by_the_device() {
    let text = r#"entry "main" [] () -> () {
      segment map (i < 1i64) chunk 1i64 {
        let a: i32 = add(2147483647i32, 1i32)
        let b: i32 = div(1i32, 0i32)
        let c: f32 = div(0f32, 0f32)
        let d: i64 = i64(-1i32)
        let e: i64 = neg(-9223372036854775808i64)
      }
    }"#;
    let wgsl = show(text, Some(0));
    for line in ["i32(-2147483648);", "= 0i;", "from_bits_f32(", "= -1li;", "-9223372036854775807li - 1li"] {
        assert!(wgsl.contains(line), "{line}\n{wgsl}");
    }
}

#[test]
fn constant_positions_outside_of_a_block_are_replaced() {
    let text = r#"entry "main" [n] (*xs: block i32 [n]) -> () {
      view x1: i32 [n] = xs + 0i64 * [1i64]
      view x2: i32 [n, n] = xs + 1i64 * [n, 5i64]
      segment map (i < 1i64) chunk 1i64 {
        alloc pb: private i32 = 2i64
        view p: i32 [2i64] = pb + 0i64 * [1i64]
        store p[1i64] = 7i32
        let never: bool = lt(n, 0i64)
        if never {
          store p[2i64] = 1i32
          store x1[-1i64] = 2i32
          store x2[0i64, -9i64] = 3i32
          store x2[-1i64, 2i64] = 4i32
        } else {
        }
      }
    }"#;
    let wgsl = show(text, Some(0));
    for line in ["[1u] = 7i;", "[0u] = 1i;", "[0u] = 2i;", "[0u] = 3i;", "[11u + 4294967295u * u32("] {
        assert!(wgsl.contains(line), "{line}\n{wgsl}");
    }
}

#[test]
fn a_loop_without_a_bound_tests_whether_a_launch_has_failed() {
    let kernel = show(
        r#"entry "main" [] () -> () {
  segment map "spin" (i < 4i64) chunk 1i64 {
    loop (more: bool = true) while more { yield true } -> (no: bool)
  }
}"#,
        Some(0),
    );
    let inside = kernel.split("while (").nth(1).and_then(|rest| rest.split("    }\n").next());
    assert!(inside.is_some_and(|inside| inside.contains("stopped()")), "{kernel}");
}

/// A reduction of three values of eight bytes.
const SUMS: &str = r#"entry "main" [n] () -> (i64, i64, i64) {
  alloc a: block i64 = 1i64
  alloc b: block i64 = 1i64
  alloc c: block i64 = 1i64
  view xs: i64 [] = a + 0i64 * []
  view ys: i64 [] = b + 0i64 * []
  view zs: i64 [] = c + 0i64 * []
  segment reduce (i < n) chunk 4i64 {
    yield i, i, i
  } combine (u: i64, v: i64, w: i64) (x: i64, y: i64, z: i64) neutral (0i64, 0i64, 0i64) into (xs, ys, zs) {
    let p: i64 = add(u, x)
    let q: i64 = add(v, y)
    let r: i64 = add(w, z)
    yield p, q, r
  }
  load s: i64 = xs[]
  load t: i64 = ys[]
  load m: i64 = zs[]
  yield s, t, m
}"#;

#[test]
fn workgroups_are_as_large_as_the_target_says() {
    let sizes = |target: &Target, text: &str| {
        let plan = compile_for(target, text).unwrap_or_else(|bug| panic!("{}", bug.message));
        plan.kernels.iter().map(|kernel| kernel.workgroup).collect::<Vec<_>>()
    };
    assert_eq!(sizes(&Target::GPU, MAP), [256]);
    assert_eq!(sizes(&Target { workgroup: 64, ..Target::GPU }, MAP), [64]);
    assert_eq!(sizes(&Target::GPU, SUMS), [256; 2]);
    // 24 bytes for each of 128 threads, but not for 256.
    let small = Target { combined_bytes: Some(4096), ..Target::GPU };
    assert_eq!(sizes(&small, &SUMS.replace("into (xs, ys, zs)", "into (xs, ys, zs) commutative")), [128; 2]);
    // If the operator does not commute, a tile takes as much again.
    assert_eq!(sizes(&small, SUMS), [64; 2]);
}

#[test]
fn a_program_for_another_machine_is_refused() {
    let bug = compile_for(&Target::CPU, SUMS).expect_err("a program for the CPU");
    assert_eq!(bug.kind, Kind::Bug);
    assert!(bug.message.contains("verified for the target \"cpu\""), "{}", bug.message);
}

const BLOCKS: &str = r#"message0 = "negative: ", f32
entry "main" [n] (xs: block f32 [n, 64i64], rounds: i64) -> ([][]f32) {
  let count: i64 = mul(n, 64i64)
  alloc ys: block f32 = count
  view x2: f32 [n, 64i64] = xs + 0i64 * [64i64, 1i64]
  view y2: f32 [n, 64i64] = ys + 0i64 * [64i64, 1i64]
  segment blocks "rows" (i < n) chunk 1i64 {
    alloc rb: workgroup f32 = 64i64
    view row: f32 [64i64] = rb + 0i64 * [1i64]
    view square: f32 [8i64, 8i64] = rb + 0i64 * [8i64, 1i64]
    alloc sb: workgroup f32 = 1i64
    view sum: f32 [] = sb + 0i64 * []
    segment reduce "sum" (k0 < 64i64) {
      load x: f32 = x2[i, k0]
      let good: bool = le(0.0f32, x)
      assert good message0(x)
      yield x
    } combine (a: f32) (b: f32) neutral (0.0f32) into (sum) {
      let ab: f32 = add(a, b)
      yield ab
    }
    load total: f32 = sum[]
    let positive: bool = lt(0.0f32, total)
    if positive {
      segment scan (o < 8i64, k1 < 8i64) {
        yield total
      } combine (c: f32) (d: f32) neutral (0.0f32) into (square) commutative {
        let cd: f32 = add(c, d)
        yield cd
      }
    } else {
      segment map (k2 < 64i64) { store row[k2] = 0.0f32 }
    }
    loop (last: f32 = 0.0f32) for j: i64 < rounds {
      assert positive message0(total)
      load next: f32 = row[j]
      yield next
    } -> (end: f32)
    segment map (k3 < 64i64) {
      load y: f32 = row[k3]
      let z: f32 = add(y, end)
      store y2[i, k3] = z
    }
  }
  yield n, 64i64, ys
}
"#;

#[test]
fn a_segment_of_blocks() {
    insta::assert_snapshot!(show(BLOCKS, Some(0)));
}

#[test]
fn reductions_and_scans_of_blocks_have_a_version_for_subgroups() {
    let with = |text: &str| plan(text).kernels.remove(0).with_subgroups;
    assert_eq!([MAP, MEAN, SCAN].map(with), [None, None, None]);
    let wgsl = with(BLOCKS).expect("a version for subgroups");
    let start = wgsl.find("fn block(").expect("a block");
    insta::assert_snapshot!(&wgsl[start..]);
}

/// Each of 256 threads holds the values of two points.
#[test]
fn a_scan_whose_threads_hold_values() {
    let plan = plan(
        r#"entry "main" [n] (xs: block i32 [n, 512i64]) -> ([][]i32) {
  let count: i64 = mul(n, 512i64)
  alloc ys: block i32 = count
  view x2: i32 [n, 512i64] = xs + 0i64 * [512i64, 1i64]
  segment blocks "rows" (i < n) chunk 1i64 {
    let first: i64 = mul(i, 512i64)
    view out: i32 [512i64] = ys + first * [1i64]
    segment scan (k < 512i64) {
      load x: i32 = x2[i, k]
      yield x
    } combine (a: i32) (b: i32) neutral (0i32) into (out) {
      let c: i32 = add(a, b)
      yield c
    }
  }
  yield n, 512i64, ys
}
"#,
    );
    let wgsl = plan.kernels.into_iter().next().and_then(|kernel| kernel.with_subgroups).expect("a version");
    insta::assert_snapshot!(
        &wgsl[wgsl.find("fn block(").expect("a block")..wgsl.find("@compute").expect("an entry")]
    );
}

#[test]
fn the_host_program_of_a_segment_of_blocks() {
    insta::assert_snapshot!(show(BLOCKS, None));
}

/// A histogram of a row in workgroup memory.
const COUNTS: &str = r#"entry "main" [n] (xs: block i32 [n, 64i64]) -> ([][]u32) {
  let count: i64 = mul(n, 8i64)
  alloc ys: block u32 = count
  view x2: i32 [n, 64i64] = xs + 0i64 * [64i64, 1i64]
  view y2: u32 [n, 8i64] = ys + 0i64 * [8i64, 1i64]
  segment blocks "rows" (i < n) chunk 1i64 {
    alloc cb: workgroup u32 = 8i64
    view counts: u32 [8i64] = cb + 0i64 * [1i64]
    segment map (k0 < 8i64) { store counts[k0] = 0u32 }
    segment map (k1 < 64i64) {
      load x: i32 = x2[i, k1]
      let at: i64 = i64(x)
      combine add counts[at] = 1u32
    }
    segment map (k2 < 8i64) {
      load y: u32 = counts[k2]
      store y2[i, k2] = y
    }
  }
  yield n, 8i64, ys
}
"#;

#[test]
fn threads_combine_into_atomic_elements() {
    let wgsl = show(COUNTS, Some(0));
    for text in [
        "var<workgroup> cb_7: array<atomic<u32>, 8>;",
        "atomicStore(&cb_7[u32(k0_9)], 0u);",
        "atomicAdd(&cb_7[u32(at_12)], 1u);",
        "atomicLoad(&cb_7[u32(k2_13)])",
    ] {
        assert!(wgsl.contains(text), "{text}\n{wgsl}");
    }
    for (op, function) in [("min", "Min"), ("max", "Max"), ("and", "And"), ("or", "Or"), ("xor", "Xor")] {
        let wgsl = show(&COUNTS.replace("combine add", &format!("combine {op}")), Some(0));
        assert!(wgsl.contains(&format!("atomic{function}(&cb_7[u32(at_12)], 1u);")), "{wgsl}");
    }
}

/// WGSL combines only words.
#[test]
fn threads_combine_both_words_of_elements_of_64_bits() {
    let counts = COUNTS.replace("u32", "u64");
    let wgsl = show(&counts, Some(0));
    for text in [
        "var<workgroup> cb_7: array<atomic<u32>, 16>;",
        "= atomicAdd(&cb_7[",
        " + 8u], ",
        "= u64(atomicLoad(&cb_7[",
    ] {
        assert!(wgsl.contains(text), "{text}\n{wgsl}");
    }
    assert_eq!(wgsl.matches("atomicStore(&cb_7[").count(), 2, "{wgsl}");
    let wgsl = show(&counts.replace("combine add", "combine xor"), Some(0));
    assert_eq!(wgsl.matches("    atomicXor(&cb_7[").count(), 2, "{wgsl}");
}
