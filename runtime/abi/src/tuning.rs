//! Tuning parameters: numbers with a default in the program that the caller can set.
//!
//! A tuning file has one `name=value` on each line; empty lines are ignored.
//!
//! For some targets the compiler adds *limits*, parameters with the names `ENTRY.NUMBER.points`, `ENTRY.NUMBER.inner`,
//! `ENTRY.binsNUMBER.enabled`, `.work`, `.threads` and `.cost`, `ENTRY.sortedNUMBER.enabled` and `.work`, and `ENTRY.transposed_bytes`. One
//! file serves all targets: where an entry point has no limits, a setting of one has no effect.

use std::collections::{BTreeMap, BTreeSet};

use crate::Signature;

/// The byte order mark with which some editors begin a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The last part of the name of a limit that is 0 if the points of the nest run in the order of the source.
const ORDER_SWITCH: &str = "enabled";

/// The settings of tuning parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuning(BTreeMap<String, i64>);

impl Tuning {
    /// Reads the text of a tuning file.
    ///
    /// # Errors
    /// A message about the first line that is not a setting.
    pub fn read(text: &str) -> Result<Tuning, String> {
        let mut tuning = Tuning::default();
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            tuning.read_setting(line).map_err(|wrong| format!("line {number}: {wrong}"))?;
        }
        Ok(tuning)
    }

    /// Sets a parameter from a text `name=value`. An earlier setting is replaced.
    ///
    /// # Errors
    /// A message about the text.
    pub fn read_setting(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text
            .split_once('=')
            .map(|(name, value)| (name.trim(), value.trim()))
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| format!("a tuning parameter is set by NAME=INT, not `{}`", text.trim()))?;
        self.set(name, value)
    }

    /// Sets a parameter to the number of this text.
    ///
    /// # Errors
    /// If it is not an i64.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = value
            .parse()
            .map_err(|_| format!("the tuning parameter `{name}` takes an i64, not `{value}`"))?;
        self.0.insert(name.to_owned(), number);
        Ok(())
    }

    /// The value of a parameter, if it is set.
    pub fn get(&self, name: &str) -> Option<i64> {
        self.0.get(name).copied()
    }

    /// Removes the parameters that no entry point has. Returns their names, except those of limits for other targets.
    pub fn forget_unknown(&mut self, entries: &[Signature]) -> Vec<String> {
        let known = parameters(entries);
        let unknown = self.0.extract_if(.., |name, _| !known.contains(name.as_str()));
        unknown.map(|(name, _)| name).filter(|name| !is_limit_elsewhere(name, entries)).collect()
    }

    /// The same settings, but no nest runs in bins or sorted. `None` if no nest of these parameters does anyway.
    ///
    /// In bins, and if they are sorted, the points of a nest do not run in the order of the source. So if one of them fails, a runtime runs
    /// the call again, with these settings, to find the failure of the first point.
    pub fn in_source_order<'p>(&self, parameters: impl IntoIterator<Item = &'p str>) -> Option<Tuning> {
        let is_on = |name: &&str| self.get(name).is_none_or(|value| value > 0);
        let switches = parameters.into_iter().filter(|name| is_order_switch(name));
        let switches: Vec<&str> = switches.filter(is_on).collect();
        let mut tuning = self.clone();
        tuning.0.extend(switches.iter().map(|&name| (name.to_owned(), 0)));
        (!switches.is_empty()).then_some(tuning)
    }

    /// Whether no parameter is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the other's settings, which take precedence.
    #[must_use]
    pub fn and(mut self, other: Tuning) -> Tuning {
        self.0.extend(other.0);
        self
    }

    /// Checks that each parameter that is set belongs to an entry point, or is a limit for another target.
    ///
    /// # Errors
    /// A message that names the first unknown parameter and lists the known ones.
    pub fn check(&self, entries: &[Signature]) -> Result<(), String> {
        let mut names = self.0.keys().filter(|name| !is_limit_elsewhere(name, entries));
        names.try_for_each(|name| check_known(name, entries))
    }
}

/// Checks that an entry point has the parameter of this name.
///
/// # Errors
/// A message that lists the known parameters.
pub fn check_known(name: &str, entries: &[Signature]) -> Result<(), String> {
    check_known_among(name, &parameters(entries))
}

/// Checks that a parameter is among the known ones.
///
/// # Errors
/// A message that lists the known parameters.
pub fn check_known_among(name: &str, known: &BTreeSet<&str>) -> Result<(), String> {
    if known.contains(name) {
        return Ok(());
    }
    let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    Err(match &known[..] {
        [] => format!("there is no tuning parameter `{name}`: the program has none"),
        known => format!("there is no tuning parameter `{name}`; there is {}", known.join(", ")),
    })
}

/// Whether the parameter of this name is 0 if the points of a nest run in the order of the source.
pub fn is_order_switch(name: &str) -> bool {
    let is_nest = |nest| entry_of(nest, "bins").or_else(|| entry_of(nest, "sorted")).is_some();
    name.rsplit_once('.').is_some_and(|(nest, what)| what == ORDER_SWITCH && is_nest(nest))
}

/// Whether a parameter of this name is a limit that the compiler may add to one of these entry points.
pub fn is_limit<'e>(name: &str, entries: impl IntoIterator<Item = &'e str>) -> bool {
    let Some((owner, what)) = name.rsplit_once('.') else { return false };
    let entry = match what {
        "transposed_bytes" => Some(owner),
        "points" | "inner" => entry_of(owner, ""),
        ORDER_SWITCH if entry_of(owner, "lanes").is_some() => entry_of(owner, "lanes"),
        ORDER_SWITCH | "work" => entry_of(owner, "bins").or_else(|| entry_of(owner, "sorted")),
        "threads" | "cost" => entry_of(owner, "bins"),
        _ => None,
    };
    entries.into_iter().any(|known| Some(known) == entry)
}

/// The entry point of a nest with this name: after a dot it has the prefix and a number.
fn entry_of<'n>(nest: &'n str, prefix: &str) -> Option<&'n str> {
    let (entry, number) = nest.rsplit_once('.')?;
    number.strip_prefix(prefix)?.parse::<u32>().ok().map(|_| entry)
}

/// Whether a parameter of this name is a limit of an entry point that has no such limits here.
fn is_limit_elsewhere(name: &str, entries: &[Signature]) -> bool {
    let what = |name: &str| name.rsplit_once('.').map(|(_, what)| what.to_owned());
    let has_such = |entry: &Signature| {
        let mut limits = entry.tuning_params.iter().filter(|param| is_limit(param, [entry.name.as_str()]));
        limits.any(|param| what(param) == what(name))
    };
    is_limit(name, entries.iter().filter(|entry| !has_such(entry)).map(|entry| entry.name.as_str()))
}

/// The names of the parameters of entry points.
pub fn parameters(entries: &[Signature]) -> BTreeSet<&str> {
    entries.iter().flat_map(|entry| &entry.tuning_params).map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(tuning_params: &[&str]) -> Signature {
        let tuning_params = tuning_params.iter().map(|&name| name.to_owned()).collect();
        Signature { name: "main".into(), sizes: 0, params: vec![], results: vec![], tuning_params }
    }

    #[test]
    fn files_set_one_a_line_and_later_ones_count() {
        let tuning = Tuning::read("\u{feff}tile=16\n\n block = -3 \r\ntile=9223372036854775807\n")
            .expect("it is right");
        assert_eq!((tuning.get("tile"), tuning.get("block")), (Some(i64::MAX), Some(-3)));
        assert_eq!(tuning.get("other"), None);
        let more = tuning.and(Tuning::read("tile=1").expect("it is right"));
        assert_eq!((more.get("tile"), more.get("block")), (Some(1), Some(-3)));
    }

    #[test]
    fn settings_without_effect_are_refused() {
        let says = |text: &str| Tuning::read(text).expect_err("it is wrong");
        assert_eq!(says("a=1\nb\n"), "line 2: a tuning parameter is set by NAME=INT, not `b`");
        assert_eq!(says("=1"), "line 1: a tuning parameter is set by NAME=INT, not `=1`");
        for wrong in ["", "x", "1.5", "0x10", "1i64", "9223372036854775808", "-9223372036854775809"] {
            let said = says(&format!("a={wrong}"));
            assert_eq!(said, format!("line 1: the tuning parameter `a` takes an i64, not `{wrong}`"));
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_those_there_are() {
        let tuning = Tuning::read("a=1\nb=2").expect("it is right");
        assert_eq!(tuning.check(&[entry(&["b"]), entry(&["a", "c"])]), Ok(()));
        let refused = "there is no tuning parameter `b`; there is `a`, `c`";
        assert_eq!(tuning.check(&[entry(&["c", "a"])]), Err(refused.to_owned()));
        let none = "there is no tuning parameter `a`: the program has none";
        assert_eq!(tuning.check(&[entry(&[])]), Err(none.to_owned()));
    }

    #[test]
    fn nests_in_another_order_are_switched_off() {
        let tuning = Tuning::read("main.bins0.work=5").expect("it is right");
        let switched =
            |tuning: &Tuning, parameters: &[&str]| tuning.in_source_order(parameters.iter().copied());
        let off =
            switched(&tuning, &["main.bins0.enabled", "main.bins0.work", "f.sorted12.enabled", "a.enabled"]);
        let expected = Tuning::read("main.bins0.work=5\nmain.bins0.enabled=0\nf.sorted12.enabled=0").ok();
        assert_eq!(off, expected);
        assert_eq!(switched(&off.unwrap_or_default(), &["main.bins0.enabled"]), None, "it is off");
        assert_eq!(
            switched(&tuning, &["main.bins0.work", "enabled", "main.0.enabled"]),
            None,
            "there is none"
        );
    }

    #[test]
    fn limits_for_another_target_have_no_effect() {
        let limits =
            Tuning::read("main.0.points=1\nmain.1.inner=2\nmain.transposed_bytes=3").expect("it is right");
        let bins = Tuning::read("main.bins0.work=1\nmain.bins1.threads=2\nmain.sorted0.work=3")
            .expect("it is right");
        assert_eq!(bins.check(&[entry(&["a", "main.0.points"])]), Ok(()));
        assert_eq!(limits.check(&[entry(&["a"])]), Ok(()));
        assert_eq!(limits.clone().forget_unknown(&[entry(&["a"])]), [""; 0]);
        // This target has such limits, so all of them are known.
        let refused = "there is no tuning parameter `main.1.inner`; there is `main.0.inner`";
        assert_eq!(limits.check(&[entry(&["main.0.inner"])]), Err(refused.to_owned()));
        assert_eq!(limits.check(&[entry(&["main.0.points"])]), Ok(()));
        for wrong in [
            "main.0.point",
            "mian.0.points",
            "main.x.points",
            "main.points",
            "main.bins0.points",
            "main.0.work",
            "main.bins.cost",
            "main.bins.0.threads",
            "main.sorted0.cost",
            "points",
            "main.0",
            "main.bytes",
            "transposed_bytes",
        ] {
            let mut tuning = Tuning::read(&format!("{wrong}=1")).expect("it is right");
            assert!(tuning.check(&[entry(&[])]).is_err(), "{wrong}");
            assert_eq!(tuning.forget_unknown(&[entry(&[])]), [wrong]);
        }
    }
}
