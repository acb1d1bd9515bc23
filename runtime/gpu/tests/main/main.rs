//! Programs in kernel IR text, run on a device. Without one these tests fail: a machine that runs
//! them has at least a software driver (`tests/setup-lavapipe.sh`).

mod blocks;
mod failures;
mod floats;
mod scalars;
mod segments;
mod statements;
mod support;
