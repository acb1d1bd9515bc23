//! Native code as an object file.
//!
//! All code is one section, as it is one blob: functions call each other through the context alone, so there is
//! nothing to relocate. Symbols name where each begins. How they are called says `ravel_abi::native`.

use object::write::{Object, StandardSection, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
use ravel_abi::Blob;

/// The object file of a blob.
pub fn bytes(blob: &Blob) -> Result<Vec<u8>, String> {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => Architecture::X86_64,
        "aarch64" => Architecture::Aarch64,
        other => return Err(format!("object files for {other} are not written")),
    };
    let mut object = Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
    let text = object.section_id(StandardSection::Text);
    // The code may hold constants that are read with any alignment up to a page.
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

/// What the host function of an entry point is called.
pub fn entry_symbol(name: &str) -> String {
    format!("ravel_entry_{name}")
}

/// What a function of the program is called.
pub fn function_symbol(number: usize) -> String {
    format!("ravel_function_{number}")
}

/// What a segment function is called.
pub fn segment_symbol(number: usize) -> String {
    format!("ravel_segment_{number}")
}
