//! Programs in kernel IR text, run on a GPU. Without one these tests fail; a machine without a GPU needs a software
//! driver (`tests/setup-lavapipe.sh`).

mod blocks;
mod failures;
mod floats;
mod scalars;
mod segments;
mod statements;
mod support;
