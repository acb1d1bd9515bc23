//! The chores of this room, and how they read their arguments.

pub mod bisect;
pub mod fuzz;

/// The number behind this option.
pub fn number(args: &[String], option: &str) -> Result<Option<u64>, String> {
    let Some(at) = args.iter().position(|arg| arg == option) else { return Ok(None) };
    match args.get(at + 1).and_then(|number| number.parse().ok()) {
        Some(number) => Ok(Some(number)),
        None => Err(format!("{option} needs a number")),
    }
}
