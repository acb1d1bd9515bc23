//! The embedded pages of `docs/errors`: for each error code its meaning, a rejected and an accepted program, and advice.

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page about a code, such as `E0201`, in upper or lower case.
pub fn page(code: &str) -> Option<&'static str> {
    PAGES.iter().find(|(number, _)| number.eq_ignore_ascii_case(code)).map(|(_, page)| *page)
}
