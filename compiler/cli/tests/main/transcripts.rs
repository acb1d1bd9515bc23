//! The transcripts in the documentation equal the output of the tools.
//!
//! `INSTA_UPDATE=always cargo test --workspace transcripts` updates them.

use std::path::{Path, PathBuf};

use crate::support::Folder;
use crate::terminal::Terminal;

const PAGE: &str = "docs/tools.md";

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PAGE)
}

/// The page before, in and after the part of this name.
fn part(text: &str, name: &str) -> (String, String, String) {
    let (start, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->\n"));
    let parts = text.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(&end)?)));
    let Some((before, (inside, after))) = parts else { panic!("{PAGE} has no part `{name}`") };
    (before.to_owned() + &start, inside.to_owned(), end + after)
}

/// Compares a part of the page with a transcript, after `essence` is applied to both.
fn check(name: &str, transcript: &str, essence: impl Fn(&str) -> String) {
    compare(name, &format!("```\n{transcript}```\n"), essence);
}

/// Compares a part of the page with the expected text, after `essence` is applied to both.
fn compare(name: &str, wanted: &str, essence: impl Fn(&str) -> String) {
    // Tests run in parallel, and write the same file.
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let text = std::fs::read_to_string(page()).expect("the page can be read");
    let (before, known, after) = part(&text, name);
    if essence(&known) == essence(wanted) {
        return;
    }
    assert!(
        std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always"),
        "{PAGE}: the part `{name}` is out of date; it should be\n{wanted}"
    );
    std::fs::write(page(), before + wanted + &after).expect("the page can be written");
}

#[test]
fn a_session_equals_the_page() {
    let text = std::fs::read_to_string(page()).expect("the page can be read");
    let (_, known, _) = part(&text, "repl");
    let inputs: Vec<&str> = known.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    assert!(inputs.len() > 8, "the session has lost its inputs");
    // On a dumb terminal the output has only the inputs and the answers.
    let variables = [("TERM", "dumb"), ("NO_COLOR", "1")];
    let mut terminal = Terminal::start(&Folder::new("transcript"), &["repl"], &variables);
    terminal.sees("\n> ");
    let mut transcript = "$ ravel repl\n".to_owned();
    for input in inputs {
        terminal.types(format!("{input}\n"));
        let (said, _) = terminal.sees("\n> ");
        transcript += &format!("> {}\n", said.replace('\r', ""));
    }
    check("repl", &transcript, str::to_owned);
}

#[test]
fn the_help_of_a_session_equals_the_page() {
    let help = Folder::new("transcript_help").ravel(&["repl"], ":help\n");
    check("repl-help", &format!("> :help\n{}", help.text()), str::to_owned);
}

#[test]
fn the_doctor_equals_the_page() {
    let report = Folder::new("transcript_doctor").ravel(&["doctor"], "");
    // The other lines depend on the machine.
    let backends = |text: &str| text.lines().filter(|line| line.ends_with(": works")).collect();
    check("doctor", &format!("$ ravel doctor\n{}", report.text()), backends);
}

#[test]
fn the_description_of_a_target_equals_the_page() {
    let description = Folder::new("transcript_target").ravel(&["devices", "--target", "h100"], "");
    check("devices", &format!("$ ravel devices --target h100\n{}", description.text()), str::to_owned);
}

const DOT: &str = "\
type point = {x: f64, y: f64}
entry main [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
entry points (n: i64): []point = map (\\i -> {x = f64.i64 i, y = 1}) (iota n)
entry norm (p: point): f64 = f64.sqrt (p.x * p.x + p.y * p.y)
";

/// The lines of a part of the page that begin with this prompt, without it.
fn inputs(name: &str, prompt: &str) -> Vec<String> {
    let text = std::fs::read_to_string(page()).expect("the page can be read");
    let (_, known, _) = part(&text, name);
    let inputs = known.lines().filter_map(|line| line.strip_prefix(prompt));
    inputs.map(str::to_owned).collect()
}

/// The output of a shell command, with `ravel` on its path.
fn shell(folder: &Folder, command: &str) -> String {
    let ravel = Path::new(env!("CARGO_BIN_EXE_ravel")).parent().expect("ravel is in a folder");
    let path = std::env::join_paths([ravel, Path::new("/usr/bin"), Path::new("/bin")]);
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", &format!("{command} 2>&1")])
        .env("PATH", path.expect("a path"))
        .current_dir(folder.path(""));
    let output = shell.output().expect("a shell starts");
    String::from_utf8(output.stdout).expect("the output is text")
}

#[test]
fn an_executable_equals_the_page() {
    let folder = Folder::new("transcript_build").with("dot.dsl", DOT);
    let commands = inputs("build", "$ ");
    assert!(commands.len() > 4, "the transcript has lost its commands");
    let output = commands.iter().map(|command| format!("$ {command}\n{}", shell(&folder, command)));
    check("build", &output.collect::<String>(), str::to_owned);
    let command = "ravel dataset -b -g '[1000000]f64' -g '[1000000]f64' | ./dot -n -r 10 -P";
    check("build-profile", &format!("$ {command}\n{}", shell(&folder, command)), words);
}

#[test]
fn a_server_equals_the_page() {
    let folder = Folder::new("transcript_server").with("dot.dsl", DOT).with("points.txt", "3");
    let commands = inputs("server", "> ");
    assert!(commands.len() > 7, "the transcript has lost its commands");
    folder.ravel(&["build", "dot.dsl"], "").gives("");
    std::fs::write(folder.path("commands"), commands.join("\n")).expect("a file can be written");
    let said = shell(&folder, "./dot --server < commands");
    // Each answer ends in a line `%%% OK`; the first one is the greeting.
    let answers: Vec<&str> = said.split_inclusive("%%% OK\n").collect();
    assert_eq!(answers.len(), commands.len() + 1, "{said}");
    let lines = commands.iter().zip(&answers[1..]).map(|(command, answer)| format!("> {command}\n{answer}"));
    let transcript = format!("$ ./dot --server\n{}{}", answers[0], lines.collect::<String>());
    let timeless = |text: &str| text.lines().filter(|line| !line.starts_with("runtime: ")).collect();
    check("server", &transcript, timeless);
}

#[test]
fn the_page_lists_the_commands_of_the_server() {
    let mut table = String::from("| command | what it does or answers |\n| --- | --- |\n");
    for command in ravel_program::COMMANDS {
        table += &format!("| `{}` | {} |\n", [command.name, command.usage].join(" ").trim(), command.about);
    }
    compare("server-commands", &table, str::to_owned);
}

/// A transcript without compile times: they depend on how `ravel` itself was compiled.
fn without_compile_times(text: &str) -> String {
    let is_compile_line = |line: &str| line.contains(": compiled in ");
    text.split_inclusive('\n').filter(|line| !is_compile_line(line)).collect()
}

/// The words of a text, without numbers, units and verdicts, which depend on the machine.
fn words(text: &str) -> String {
    let text = text.replace("(it runs less in parallel, or the machine was busy)", "");
    let varies = ["us", "ms", "s", "B", "KiB", "MiB", "%", "?", "!", "equal,", "SLOWER,", "faster,"];
    let is_word =
        |word: &&str| !word.contains(|letter: char| letter.is_ascii_digit()) && !varies.contains(word);
    text.split_whitespace().filter(is_word).collect::<Vec<_>>().join(" ")
}

#[test]
fn measurements_equal_the_page() {
    let program = std::fs::read_to_string(page().with_file_name("../programs/sobol/pi.dsl"));
    let folder = Folder::new("transcript_bench").with("pi.dsl", program.expect("the program is there"));
    let run = |args: &[&str]| {
        let output = folder.ravel(&[args, &["--limit", "1"]].concat(), "");
        assert_eq!(output.err, "");
        let text = output.text().replace("! not known within 5 % at the time limit; --limit raises it\n", "");
        without_compile_times(&text)
    };
    let measured = run(&["bench", "--backend", "cpu,gpu", "--json", "old.json", "pi.dsl"]);
    let command = "$ ravel bench --backend cpu,gpu --json old.json pi.dsl\n";
    check("bench", &format!("{command}{measured}"), words);
    let profiled = run(&["bench", "-P", "--only", "#1", "pi.dsl"]);
    check("profile", &format!("$ ravel bench -P --only '#1' pi.dsl\n{profiled}"), words);
    let compared = run(&["bench", "--backend", "cpu,gpu", "--compare", "old.json", "pi.dsl"]);
    let (_, compared) = compared.split_once("\n\n").expect("the comparison follows the table");
    let command = "$ ravel bench --backend cpu,gpu --compare old.json pi.dsl\n…\n";
    check("compare", &format!("{command}{compared}"), words);
}
