//! Native code as an object file.
//!
//! All code is in one section, because it is one blob. Functions call each other only through the context, so there are
//! no relocations. A symbol marks the start of each function; `ravel_abi::native` has the calling convention.

use object::write::{Object, StandardSection, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
use ravel_abi::Blob;

/// The object file of a blob.
pub fn bytes(blob: &Blob) -> Result<Vec<u8>, String> {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => Architecture::X86_64,
        "aarch64" => Architecture::Aarch64,
        other => return Err(format!("cannot write object files for {other}")),
    };
    let mut object = Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
    let text = object.section_id(StandardSection::Text);
    // The code may contain constants that need an alignment of up to a page.
    let start = object.append_section_data(text, &blob.code, 4096);
    let mut function = |name: String, offset: usize| {
        object.add_symbol(Symbol {
            name: name.into_bytes(),
            value: start + offset as u64,
            size: 0,
            kind: SymbolKind::Text,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(text),
            flags: SymbolFlags::None,
        });
    };
    for entry in &blob.entries {
        function(entry_symbol(&entry.signature.name), entry.offset);
    }
    blob.functions.iter().enumerate().for_each(|(at, &offset)| function(function_symbol(at), offset));
    blob.segments.iter().enumerate().for_each(|(at, &offset)| function(segment_symbol(at), offset));
    object.write().map_err(|wrong| format!("cannot write the object file: {wrong}"))
}

/// The symbol of an entry point's host function.
pub fn entry_symbol(name: &str) -> String {
    format!("ravel_entry_{name}")
}

/// The symbol of a function of the program.
pub fn function_symbol(number: usize) -> String {
    format!("ravel_function_{number}")
}

/// The symbol of a segment function.
pub fn segment_symbol(number: usize) -> String {
    format!("ravel_segment_{number}")
}
