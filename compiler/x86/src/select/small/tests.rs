//! What a load of bytes under a mask tests before it loads the bytes of all lanes.

use ravel_kernel::{Stm, Target, parse};

use crate::machine::{Condition, Kind};
use crate::{Extension, Results};

/// The conditions of the branches in the machine code of a segment. Each of its points runs `code`, and then loads, under
/// a mask, the byte at its index plus `distance`.
fn conditions(code: &str, distance: i64, extension: Extension) -> Vec<Condition> {
    let text = format!(
        "entry \"f\" [n] (xs: block u8 [n], zs: block u8 [n]) -> ([]u8) {{
           alloc ys: block u8 = n
           view from: u8 [n] = xs + 0i64 * [1i64]
           view other: u8 [n] = zs + 0i64 * [1i64]
           view to: u8 [n] = ys + 0i64 * [1i64]
           let few: bool = lt(n, 5i64)
           segment map (i < n) chunk 50i64 {{
             load z: u8 = other[i]
             {code}
             let takes_part: bool = lt(z, 9u8)
             if takes_part {{
               let j: i64 = add(i, {distance}i64) load p: u8 = from[j] yield p
             }} else {{ yield 3u8 }} -> (y: u8)
             store to[i] = y
           }}
           yield n, ys
         }}"
    );
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let entry = &program.entries[0];
    let segment = entry.body.stms.iter().find_map(|step| match &step.stm {
        Stm::Segment(segment) => Some(segment),
        _ => None,
    });
    let segment = segment.expect("a segment");
    let (_, body) = segment.threads().expect("of threads");
    let strip =
        ravel_vector::vectorise(&segment.space, body, &[], &entry.vars, &Target::CPU).expect("a strip");
    let (function, _) = super::super::select(&strip, Results::Stored, extension).expect("instructions");
    let kinds = function.blocks.iter().flat_map(|block| &block.instructions);
    let condition = |kind: Kind| match kind {
        Kind::Branch(condition) => Some(condition),
        _ => None,
    };
    kinds.filter_map(|instruction| condition(instruction.kind)).collect()
}

#[test]
fn a_load_before_what_all_lanes_have_loaded_asks_whether_it_begins_inside() {
    let cases = [-100, -1, 0].map(|distance| [Extension::Avx2, Extension::Avx512].map(|it| (distance, it)));
    for (distance, extension) in cases.concat() {
        let conditions = conditions("load x: u8 = from[i] store to[i] = x", distance, extension);
        assert!(conditions.contains(&Condition::LESS), "{distance}: {conditions:?}");
        assert!(!conditions.contains(&Condition::ALL), "{distance}: {conditions:?}");
    }
}

#[test]
fn other_loads_ask_whether_all_lanes_take_part() {
    let in_branch = "if few { load x: u8 = from[i] yield x } else { yield 0u8 } -> (w: u8) store to[i] = w";
    let cases = [("load x: u8 = from[i] store to[i] = x", 1), ("", -1), (in_branch, -1)];
    for (code, distance) in cases {
        for extension in [Extension::Avx2, Extension::Avx512] {
            let conditions = conditions(code, distance, extension);
            assert!(conditions.contains(&Condition::ALL), "{code}, {distance}: {conditions:?}");
            assert!(!conditions.contains(&Condition::LESS), "{code}, {distance}: {conditions:?}");
        }
    }
}
