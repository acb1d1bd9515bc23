//! The pages about error codes: what a code means, a program that is refused, one that is not, and
//! what to do. They are those of `docs/errors`, embedded.

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page about a code, such as `E0201`, in either case of letters.
pub fn page(code: &str) -> Option<&'static str> {
    PAGES.iter().find(|(number, _)| number.eq_ignore_ascii_case(code)).map(|(_, page)| *page)
}
