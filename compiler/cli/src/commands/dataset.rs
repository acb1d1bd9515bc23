//! `ravel dataset`: generates random values, or converts values between formats.

use std::io::{Read, Write};

use ravel_abi::{Bounds, PrimType, Value};
use ravel_program::files;

use crate::args::{Dataset, TypeBounds};
use crate::exit::{self, Exit};
use crate::terminal;

/// Writes generated values, or without --generate the values that it reads from standard input.
pub fn dataset(args: &Dataset) -> Result<(), Exit> {
    let values = if args.generate.is_empty() { read()? } else { generate(args)? };
    terminal::output_from(|out| match (args.types, args.binary) {
        (true, _) => values.iter().try_for_each(|value| writeln!(out, "{}", value.type_text())),
        (false, true) => ravel_abi::write_binary_to(&values, out),
        (false, false) => ravel_abi::write_text_to(&values, out),
    })
}

fn generate(args: &Dataset) -> Result<Vec<Value>, Exit> {
    let mut bounds = Bounds::default();
    for (elem, text) in by_type(&args.bounds) {
        if let Some(text) = text {
            bounds.set(elem, text).map_err(|wrong| exit::usage(format!("--{elem}-bounds: {wrong}")))?;
        }
    }
    let text = args.generate.join(" ");
    let wanted =
        ravel_abi::read_requests(&text).map_err(|wrong| exit::usage(format!("--generate: {wrong}")))?;
    ravel_abi::generate(&wanted, &bounds, args.seed).map_err(|failure| exit::failure(&failure))
}

fn read() -> Result<Vec<Value>, Exit> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|trouble| exit::user(files::unreadable("standard input", &trouble)))?;
    ravel_abi::read_any(&bytes).map_err(|wrong| exit::user(format!("standard input: {wrong}")))
}

/// The bounds of the command line, for each numeric type.
fn by_type(bounds: &TypeBounds) -> [(PrimType, &Option<String>); 11] {
    [
        (PrimType::I8, &bounds.i8),
        (PrimType::I16, &bounds.i16),
        (PrimType::I32, &bounds.i32),
        (PrimType::I64, &bounds.i64),
        (PrimType::U8, &bounds.u8),
        (PrimType::U16, &bounds.u16),
        (PrimType::U32, &bounds.u32),
        (PrimType::U64, &bounds.u64),
        (PrimType::F16, &bounds.f16),
        (PrimType::F32, &bounds.f32),
        (PrimType::F64, &bounds.f64),
    ]
}
