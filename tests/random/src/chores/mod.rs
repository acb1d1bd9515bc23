//! The chores of this room.

pub mod bisect;
pub mod fuzz;
