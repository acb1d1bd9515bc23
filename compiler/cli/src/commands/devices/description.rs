//! Descriptions of machines and targets, as text and as JSON.
//!
//! A machine has hardware figures, which are only for information, and a target. The settings of the target determine the
//! code that is compiled for the machine. Figures and settings have the same names in the text and in JSON.

use std::fmt::Write as _;

use ravel_abi::{Figure, Hardware, Machine};
use ravel_driver::{SettingValue, Target};
use ravel_engine::DeviceDescription;
use serde_json::{Map, Value, json};

/// The machines that were found, and the targets for which programs are compiled.
pub fn of_machines(machines: &[DeviceDescription], as_json: bool) -> String {
    if as_json {
        let machine = |described: &DeviceDescription| {
            json!({
                "name": described.name,
                "target": Target::of(described.machine).name,
                "hardware": hardware_json(&described.hardware),
            })
        };
        let machines: Vec<Value> = machines.iter().map(machine).collect();
        let targets: Vec<Value> = Machine::ALL.into_iter().map(Target::of).map(target_json).collect();
        return format!("{:#}\n", json!({ "machines": machines, "targets": targets }));
    }
    let mut text = String::new();
    for DeviceDescription { machine, name, hardware } in machines {
        let _ = writeln!(text, "{}: {name}", Target::of(*machine).name);
        text += &figures(hardware);
    }
    text + "\n" + &settings(&Machine::ALL.map(Target::of))
}

/// A target.
pub fn of_target(target: &Target, as_json: bool) -> String {
    if as_json {
        return format!("{:#}\n", target_json(target));
    }
    let Target { name, title, source, hardware, .. } = target;
    format!("{name}: {title}\nfigures from: {source}\n{}\n{}", figures(hardware), settings(&[target]))
}

/// The known figures, one a line.
fn figures(hardware: &Hardware) -> String {
    let known = hardware.figures().into_iter().filter_map(|figure| Some((figure, figure.value?)));
    known
        .map(|(Figure { name, about, .. }, value)| {
            format!("  {name:22}{:>12}  {about}\n", number(name, value))
        })
        .collect()
}

/// The settings of targets, with a column for each target.
fn settings(targets: &[&Target]) -> String {
    let mut text = format!("{:24}", "settings of target");
    targets.iter().for_each(|target| _ = write!(text, "{:>12}", target.name));
    text.push('\n');
    let columns: Vec<_> = targets.iter().map(|target| target.settings()).collect();
    for (row, setting) in columns.first().into_iter().flatten().enumerate() {
        let _ = write!(text, "  {:22}", setting.name);
        columns
            .iter()
            .for_each(|column| _ = write!(text, "{:>12}", setting_text(setting.name, column[row].value)));
        let _ = writeln!(text, "  {}", setting.about);
    }
    text
}

fn setting_text(name: &str, value: SettingValue) -> String {
    match value {
        SettingValue::Ability(true) => "yes".to_owned(),
        SettingValue::Ability(false) => "no".to_owned(),
        SettingValue::Number(None) => "unlimited".to_owned(),
        SettingValue::Number(Some(value)) => number(name, value),
    }
}

/// A number. A number of bytes gets the largest unit in which it is an integer.
fn number(name: &str, figure: u64) -> String {
    const UNITS: [(u32, &str); 3] = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    if !name.ends_with("_bytes") {
        return figure.to_string();
    }
    let fits = |(shift, _): &(u32, &str)| figure > 0 && figure.trailing_zeros() >= *shift;
    match UNITS.into_iter().find(fits) {
        Some((shift, unit)) => format!("{} {unit}", figure >> shift),
        None => format!("{figure} B"),
    }
}

fn target_json(target: &Target) -> Value {
    let settings = target.settings().into_iter().map(|setting| {
        let value = match setting.value {
            SettingValue::Ability(can) => json!(can),
            SettingValue::Number(value) => json!(value),
        };
        (setting.name.to_owned(), value)
    });
    json!({
        "name": target.name,
        "title": target.title,
        "source": target.source,
        "machine": target.machine.name(),
        "settings": settings.collect::<Map<String, Value>>(),
        "hardware": hardware_json(&target.hardware),
    })
}

fn hardware_json(hardware: &Hardware) -> Value {
    let figures = hardware.figures().into_iter().map(|figure| (figure.name.to_owned(), json!(figure.value)));
    figures.collect::<Map<_, _>>().into()
}
