//! The templates of the helpers, read from `.wgsl` files.
//!
//! In a template `T` stands for the type, `U` for the unsigned type of its width and `W` for the width. The name of a
//! helper ends in `_T`. A helper whose text mentions the name of another helper counts as calling it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ravel_prim::PrimType;

/// The helpers of one file.
struct File {
    /// Whether the file is for this type.
    is_for: fn(PrimType) -> bool,
    /// The other types that its helpers use, of those that not every device has.
    uses: &'static [PrimType],
    /// The definitions, by name.
    definitions: BTreeMap<&'static str, &'static str>,
}

macro_rules! files {
    ($($path:literal for $is_for:expr $(, with $used:ident)?;)*) => {
        vec![$(File {
            is_for: $is_for,
            uses: &[$(PrimType::$used)?],
            definitions: definitions(include_str!(concat!($path, ".wgsl"))),
        },)*]
    };
}

/// All files. The first one that is for a type and defines a name counts.
static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let single: fn(PrimType) -> bool = |ty| ty == PrimType::F32;
    let double: fn(PrimType) -> bool = |ty| ty == PrimType::F64;
    files! {
        "block/team_size" for |ty| matches!(ty, PrimType::U32 | PrimType::I64);
        "block/shuffle_32" for |ty| ty.bits() == 32;
        "block/shuffle_64" for |ty| ty.bits() == 64, with U64;
        "block/shuffle_bool" for |ty| ty == PrimType::Bool;
        "integer/division" for PrimType::is_signed;
        "integer/unsigned_division" for PrimType::is_unsigned;
        "integer/power" for PrimType::is_integer;
        "integer/shifts" for PrimType::is_integer;
        "integer/arithmetic_shift" for PrimType::is_signed;
        "integer/sign" for PrimType::is_signed;
        "integer/unsigned_sign" for PrimType::is_unsigned;
        "integer/bits_32" for |ty| ty.is_integer() && ty.bits() == 32;
        "integer/bits_64" for |ty| ty.is_integer() && ty.bits() == 64;
        "float/bits" for single;
        "float/bits" for double, with U64;
        "float/bits_32" for single;
        "float/bits_64" for double, with U64;
        "float/order" for PrimType::is_float;
        "float/remainder" for single;
        "float/remainder" for double, with U64;
        "half/rounding" for single;
        "half/double_rounding" for single, with F64;
        "half/to_bits" for single;
        "half/from_bits" for |ty| ty == PrimType::U32;
        "single/angle" for single;
        "double/angle" for double, with U64;
        "double/rounding" for double, with U64;
        "report/bits_32" for |ty| ty.bits() == 32;
        "report/bits_64" for |ty| ty.bits() == 64, with U64;
        "report/bool" for |ty| ty == PrimType::Bool;
    }
});

/// The definitions in a file, without comments. A definition begins at the start of a line.
fn definitions(text: &'static str) -> BTreeMap<&'static str, &'static str> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !line.starts_with([' ', '}', ')', '\n']) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let parts = starts.iter().zip(ends).map(|(&start, end)| text[start..end].trim_end());
    parts.filter_map(|part| Some((words(part).nth(1)?.strip_suffix("_T")?, part))).collect()
}

/// A helper of the library.
#[derive(Default)]
pub(super) struct Template {
    /// Its definition.
    pub(super) text: &'static str,
    /// The types that it uses beside its own, of those that not every device has.
    pub(super) uses: &'static [PrimType],
}

/// The template of a helper; empty for a helper whose text is generated, such as `truncate_f32`. If the library lacks a
/// helper, the module calls a function that it does not define, and its validation reports that.
pub(super) fn template(name: &str, ty: PrimType) -> Template {
    let mut files = FILES.iter().filter(|file| (file.is_for)(ty));
    let found = files.find_map(|file| Some(Template { text: file.definitions.get(name)?, uses: file.uses }));
    found.unwrap_or_default()
}

/// The names of the other helpers that a definition mentions.
pub(super) fn calls(definition: &str) -> impl Iterator<Item = &str> {
    let name = words(definition).nth(1);
    words(definition).filter(move |&word| Some(word) != name).filter_map(|word| word.strip_suffix("_T"))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_part_of_word(c)).filter(|word| !word.is_empty())
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The template for type `ty`: its words `T`, `U`, `W` replaced.
pub(super) fn instance(template: &str, ty: PrimType) -> String {
    let (unsigned, width) = if ty.bits() == 64 { ("u64", "64") } else { ("u32", "32") };
    let mut text = String::new();
    let mut word = String::new();
    for c in template.chars().chain(['\n']) {
        if is_part_of_word(c) {
            word.push(c);
            continue;
        }
        for (index, part) in word.split('_').enumerate() {
            text.push_str(if index > 0 { "_" } else { "" });
            text.push_str(match part {
                "T" => ty.name(),
                "U" => unsigned,
                "W" => width,
                other => other,
            });
        }
        word.clear();
        text.push(c);
    }
    text
}

/// The names of all helpers for type `ty`.
#[cfg(test)]
pub(super) fn every_definition(ty: PrimType) -> impl Iterator<Item = &'static str> {
    FILES.iter().filter(move |file| (file.is_for)(ty)).flat_map(|file| file.definitions.keys().copied())
}
