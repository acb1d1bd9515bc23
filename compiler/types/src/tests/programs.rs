//! The programs in `programs/`, and the prelude.

use super::{has_types, prelude};
use crate::Env;

#[test]
fn pi_has_these_types() {
    has_types(
        include_str!("../../../../tests/stages/fusion/pi.dsl"),
        &[
            "def directions_x: [32]u32",
            "def directions_y: [32]u32",
            "def sobol (directions: [32]u32) (i: u32): u32",
            "def unit (x: u32): f64",
            "def in_circle (i: i64): bool",
            "entry main (n: i32): f64",
        ],
    );
}

#[test]
fn searches_have_these_types() {
    has_types(
        include_str!("../../../../programs/bfs/adjacency.dsl"),
        &[
            "def edges_exist [n] (starts_at: [n]i32) (num_edges: [n]i32) (total: i64): bool",
            "def first_levels [n] [m] (starts_at: [n]i32) (num_edges: [n]i32) (_: [m]i32): [n]i32",
            "def search [n] [m] (starts_at: [n]i32) (num_edges: [n]i32) (edges: [m]i32) (visit: i64 -> [n]i32 -> []i64 -> *[n]bool -> *[n]bool): [n]i32",
            "def visit_block [n] [m] [k] (starts_at: [n]i32) (num_edges: [n]i32) (edges: [m]i32) (levels: [n]i32) (width: i64) (nodes: [k]i64) (found: *[n]bool): [n]bool",
        ],
    );
}

#[test]
fn ids_of_a_program_start_above_the_preludes() {
    let checked = super::accept("def f x = x");
    let definition = &checked.program.definitions[0];
    assert!(definition.id.0 >= prelude().free.value);
    assert!(definition.function.type_params[0].0 >= prelude().free.type_param);
    assert!(checked.free.value > definition.id.0);
}

#[test]
fn an_env_survives_storage() {
    let bytes = postcard::to_stdvec(prelude()).expect("an env can be stored");
    assert_eq!(&postcard::from_bytes::<Env>(&bytes).expect("an env can be read"), prelude());
}
