//! The tasks about random programs. They need the compiler, which this crate does not link.

use std::process::Command;

use crate::ci::run;
use crate::verdict::Report;

/// A test that runs as many random programs as the environment says.
struct Test {
    /// The option that asks for it, before the number of programs.
    flag: &'static str,
    /// Its name in the report.
    about: &'static str,
    /// The arguments of `cargo test` that run it alone.
    arguments: &'static [&'static str],
    /// The environment variable with the number of programs.
    number: &'static str,
    /// The options that may follow, and the environment variables of their values.
    options: &'static [(&'static str, &'static str)],
}

impl Test {
    /// Nests that run in parallel, which need a GPU or Mesa's software driver.
    const fn of_nests(flag: &'static str, about: &'static str, arguments: &'static [&'static str]) -> Test {
        Test { flag, about, arguments, number: "RAVEL_NESTS", options: &[("--seed", "RAVEL_NESTS_SEED")] }
    }
}

const TESTS: [Test; 4] = [
    Test {
        flag: "--lanes",
        about: "random bodies in lanes",
        // With optimisation, because it runs many programs.
        arguments: &[
            "--release",
            "--package",
            "ravel-native",
            "--test",
            "main",
            "--",
            "random_bodies_compute_the_same_in_lanes",
        ],
        number: "RAVEL_BODIES",
        options: &[("--seed", "RAVEL_BODIES_SEED"), ("--first", "RAVEL_BODIES_FIRST")],
    },
    Test::of_nests(
        "--blocks",
        "random programs with workgroups",
        &["--workspace", "--test", "all", "--", "random_workgroups"],
    ),
    Test::of_nests(
        "--full",
        "random programs with distributed nests",
        &["--workspace", "--test", "all", "--", "random_distributed_nests"],
    ),
    Test::of_nests(
        "--bins",
        "random programs with points in bins",
        &["--workspace", "--test", "all", "--", "random_nests_in_bins"],
    ),
];

/// `fuzz`: random thread bodies in lanes if the first argument is `--lanes`, random programs with nested parallelism if it is
/// `--blocks`, `--full` or `--bins`, otherwise random programs of all kinds.
pub fn fuzz(args: &[String]) -> Result<(), String> {
    let [flag, args @ ..] = args else { return task("fuzz", args) };
    match TESTS.iter().find(|test| test.flag == flag) {
        Some(test) => Report::default().tests(test.about, command(test, args)?),
        None => task("fuzz", &[std::slice::from_ref(flag), args].concat()),
    }
}

/// The command that runs a test on as many programs as its arguments say.
fn command(test: &Test, args: &[String]) -> Result<Command, String> {
    let mut command = Command::new("cargo");
    command.arg("test").args(test.arguments).arg("--nocapture");
    let (flag, allowed) = (test.flag, test.options.iter().map(|(option, _)| format!("`{option}`")));
    let [number, options @ ..] = args else { return Err(format!("`{flag}` takes the number of programs")) };
    number.parse::<u64>().map_err(|_| format!("`{number}` is not a number of programs"))?;
    command.env(test.number, number);
    for option in options.chunks(2) {
        let known = test.options.iter().find(|(name, _)| *name == option[0]);
        let (Some((_, variable)), [name, value]) = (known, option) else {
            let allowed = allowed.collect::<Vec<_>>().join(" and ");
            return Err(format!("after `{flag}` and its number, only {allowed} with a number may follow"));
        };
        value.parse::<u64>().map_err(|_| format!("`{value}` after `{name}` is not a number"))?;
        command.env(variable, value);
    }
    Ok(command)
}

/// Runs a task of `tests/random`, compiled with optimisation because it runs many programs.
pub fn task(name: &str, args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let cargo = ["run", "--quiet", "--release", "--package", "ravel-random", "--", name];
    run("cargo", &[&cargo[..], &args].concat(), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variables that a command sets.
    fn variables(flag: &str, args: &[&str]) -> Result<Vec<String>, String> {
        let test = TESTS.iter().find(|test| test.flag == flag).expect("a test");
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        let command = command(test, &args)?;
        let text = |text: Option<&std::ffi::OsStr>| text.unwrap_or_default().to_string_lossy().into_owned();
        Ok(command.get_envs().map(|(name, value)| format!("{}={}", text(Some(name)), text(value))).collect())
    }

    #[test]
    fn the_numbers_of_programs_are_read() {
        let lanes = |args: &[&str]| variables("--lanes", args);
        assert_eq!(lanes(&["7"]), Ok(vec!["RAVEL_BODIES=7".to_owned()]));
        let all = ["RAVEL_BODIES=7", "RAVEL_BODIES_FIRST=3", "RAVEL_BODIES_SEED=2"].map(str::to_owned);
        assert_eq!(lanes(&["7", "--first", "3", "--seed", "2"]), Ok(all.to_vec()));
        let numbers = "`x` is not a number of programs".to_owned();
        assert_eq!(lanes(&["x"]), Err(numbers));
        assert_eq!(lanes(&[]), Err("`--lanes` takes the number of programs".to_owned()));
        assert_eq!(lanes(&["7", "--seed", "-1"]), Err("`-1` after `--seed` is not a number".to_owned()));
        for options in [&["7", "--seed"][..], &["7", "--whole", "1"]] {
            assert!(lanes(options).expect_err("refused").contains("`--seed` and `--first`"));
        }
        assert!(variables("--bins", &["7", "--first", "3"]).expect_err("refused").contains("only `--seed` "));
    }
}
