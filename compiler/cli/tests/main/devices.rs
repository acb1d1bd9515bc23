//! Devices, the doctor, and machines without a graphics adapter.

use crate::support::{Folder, Outcome, finish};

const PROGRAM: &str = "-- ==\n-- input { 1 }\n-- output { 1 }\nentry main (x: i32): i32 = x\n";

/// Runs `ravel` in an environment without a Vulkan driver.
fn without_gpu(folder: &Folder, args: &[&str]) -> Outcome {
    let mut command = folder.command(args);
    command.env("VK_DRIVER_FILES", "/nonexistent").env("VK_ICD_FILENAMES", "/nonexistent");
    finish(command.spawn().expect("ravel starts"), b"1")
}

#[test]
fn a_missing_gpu_is_named() {
    let folder = Folder::new("missing_gpu").with("a.dsl", PROGRAM);
    for args in [&["run", "a.dsl", "--backend", "gpu"][..], &["test", "a.dsl", "--backend", "gpu"]] {
        without_gpu(&folder, args).fails_with(1, "error: no GPU was found; install a Vulkan driver");
    }
}

#[test]
fn an_adapter_is_selected_by_a_part_of_its_name() {
    let folder = Folder::new("adapter_names").with("a.dsl", PROGRAM);
    let run = |name| {
        let mut command = folder.command(&["run", "a.dsl", "--backend", "gpu"]);
        finish(command.env("RAVEL_ADAPTER", name).spawn().expect("ravel starts"), b"1")
    };
    run("").gives("1i32\n");
    let none = run("No Such");
    none.fails_with(1, "error: no GPU has `No Such` in its name; there is ");
    assert!(!none.err.contains("install"), "{}", none.err);
    let name = none.err.split("there is ").nth(1).and_then(|names| names.split(' ').next()).expect("a name");
    run(&name.to_uppercase()).gives("1i32\n");
}

#[test]
fn the_processor_needs_no_gpu() {
    let folder = Folder::new("no_gpu").with("a.dsl", PROGRAM);
    for backend in ["cpu", "interp"] {
        without_gpu(&folder, &["run", "a.dsl", "--backend", backend]).gives("1i32\n");
    }
    for (args, code, word) in [(&["devices"][..], 0, "note: "), (&["devices", "--gpu"], 1, "error: ")] {
        let devices = without_gpu(&folder, args);
        assert_eq!(devices.code, Some(code));
        assert!(devices.text().starts_with("cpu: ") && devices.text().lines().count() == 1);
        assert!(
            devices.text().contains(" threads; vectors of ")
                && devices.text().contains("; --lanes may choose 1")
        );
        let output = devices.err.strip_prefix(word);
        let begin = "no graphics adapter passes the check, so programs run on the CPU only; install";
        assert!(output.is_some_and(|output| output.starts_with(begin)), "{}", devices.err);
    }
}

#[test]
fn devices_lists_a_usable_adapter() {
    let devices = Folder::new("devices").ravel(&["devices", "--gpu"], "");
    assert_eq!((devices.code, devices.err.as_str()), (Some(0), ""));
    assert!(devices.text().lines().any(|line| line.starts_with("gpu: ") && line.ends_with("; usable")));
}

/// The value of a setting or figure in a description.
fn value<'t>(text: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(name))?;
    Some(line.split_whitespace().skip(1).collect())
}

#[test]
fn machines_at_hand_are_described() {
    let folder = Folder::new("target");
    let described = folder.ravel(&["devices", "--target"], "");
    assert_eq!((described.code, described.err.as_str()), (Some(0), ""));
    let text = described.text();
    assert!(text.starts_with("cpu: ") && text.contains("\ngpu: "), "{text}");
    for figure in ["cores", "workgroup_threads", "groups", "binding_bytes"] {
        assert!(value(text, figure).is_some(), "{figure} is missing in\n{text}");
    }
    assert_eq!(value(text, "workgroup").map(|values| values[..2].join(" ")), Some("8 256".to_owned()));
    assert_eq!(value(text, "calls").map(|values| values[..2].join(" ")), Some("yes no".to_owned()));
}

#[test]
fn a_machine_without_gpu_has_one_description() {
    let folder = Folder::new("target_without_gpu");
    let described = without_gpu(&folder, &["devices", "--target"]);
    assert_eq!(described.code, Some(0));
    assert!(described.text().starts_with("cpu: ") && !described.text().contains("\ngpu: "));
    assert!(described.err.starts_with("note: no graphics adapter passes the check"), "{}", described.err);
    assert_eq!(without_gpu(&folder, &["devices", "--target", "--gpu"]).code, Some(1));
}

#[test]
fn descriptions_are_json_on_request() {
    let folder = Folder::new("target_json");
    let json = |args: &[&str]| -> serde_json::Value {
        let output = folder.ravel(&[&["devices", "--json", "--target"], args].concat(), "");
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
        serde_json::from_str(output.text()).expect("JSON")
    };
    let here = json(&[]);
    assert_eq!(here["machines"][0]["target"], "cpu");
    assert!(here["machines"][0]["hardware"]["cores"].as_u64().is_some_and(|cores| cores > 0));
    assert_eq!(here["machines"][1]["target"], "gpu");
    assert_eq!(here["targets"][1]["settings"]["workgroup"], 256);
    assert_eq!(here["targets"][1]["settings"]["calls"], false);
    let a100 = json(&["a100"]);
    assert_eq!((a100["machine"].as_str(), a100["hardware"]["cores"].as_u64()), (Some("gpu"), Some(108)));
    assert_eq!(a100["settings"], here["targets"][1]["settings"]);
}

#[test]
fn a_target_is_described_by_its_name() {
    let folder = Folder::new("target_named");
    // A known target needs no GPU.
    let a100 = without_gpu(&folder, &["devices", "--target", "a100"]);
    assert_eq!((a100.code, a100.err.as_str()), (Some(0), ""));
    assert!(
        a100.text().starts_with("a100: NVIDIA A100 SXM4 40 GB\nfigures from: NVIDIA, "),
        "{}",
        a100.text()
    );
    assert_eq!(value(a100.text(), "l2_bytes").map(|values| values[..2].join(" ")), Some("40 MiB".to_owned()));
    folder.ravel(&["devices", "--target", "abacus"], "").fails_with(2, "error: invalid value 'abacus'");
    folder.ravel(&["devices", "--json"], "").fails_with(2, "error: the following required arguments");
}

#[test]
fn the_doctor_finds_every_backend_working() {
    let output = Folder::new("doctor").ravel(&["doctor", "--backend", "cpu,gpu,interp"], "");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{}", output.text());
    for backend in ["interp: works\n", "cpu:    works\n", "gpu:    works\n"] {
        assert!(output.text().contains(backend), "{}", output.text());
    }
    assert!(!output.text().contains("install"), "{}", output.text());
}

#[test]
fn the_doctor_reports_a_missing_gpu() {
    let folder = Folder::new("doctor_missing");
    for (args, code) in
        [(&["doctor"][..], 0), (&["doctor", "--backend", "cpu"], 0), (&["doctor", "--backend", "cpu,gpu"], 1)]
    {
        let output = without_gpu(&folder, args);
        assert_eq!((output.code, output.err.as_str()), (Some(code), ""), "{}", output.text());
        assert!(output.text().contains("\ncpu:    works\ngpu:    does not work: no GPU was found"));
        assert!(
            output.text().contains("\nto run programs on a GPU, install a Vulkan driver: ")
                && output.text().ends_with('\n'),
            "{}",
            output.text()
        );
    }
}
