//! # machine: passes that suit kernel IR to a machine
//!
//! Backends translate statement by statement. Most of these passes rewrite code to a form that the machine runs faster:
//! branches become selections, loops are unrolled, split or copied, loads leave loops, fills become shorter, operators are
//! computed together. The settings of the [`Target`](ravel_kernel::Target) determine when. A target that has its own
//! optimising compiler switches most of them off. The last two replace statements that the machine does not have:
//! `copies_in_segments` and `rows_in_workgroups`.

mod aliases;
pub mod copies_in_segments;
mod copy;
pub mod forward_stores;
pub mod hoist_loads;
pub mod if_convert;
mod invariants;
pub mod nested_counters;
pub mod partial_fill;
pub mod rows_in_workgroups;
pub mod sine_cosine;
mod size;
pub mod split_index;
pub mod stage_transposes;
mod substitution;
pub mod tile;
pub mod tile_in_workgroups;
pub mod tile_transposes;
pub mod unroll;
pub mod unswitch;

use ravel_kernel::{Body, Level, Program, VarTable};

/// A rewrite of the code of one function or entry point.
trait Rewrite {
    /// Rewrites the code, whose variables these are.
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable);
}

/// Rewrites all code of a program.
fn rewrite(program: &mut Program, rewrite: &mut impl Rewrite) {
    for function in &mut program.host_functions {
        rewrite.code(&mut function.body, &mut function.vars);
    }
    for function in &mut program.thread_functions {
        rewrite.code(&mut function.body, &mut function.vars);
    }
    for entry in &mut program.entries {
        rewrite.code(&mut entry.body, &mut entry.vars);
    }
}
