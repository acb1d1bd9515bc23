//! The tests that cross rooms, in one binary: see the folders of the same names.
#![forbid(unsafe_code)]
