//! The server protocol, tested by a client in this file: every command, and its errors.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use ravel_program::COMMANDS;

use crate::build::{built, execute};
use crate::support::Folder;

const PROGRAM: &str = "\
type point = {x: f64, y: f64}
type shape [n] = #dot | #line [n]f64 | #box i32 point
entry main [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
entry points (n: i64): []point = map (\\i -> {x = f64.i64 i, y = 1}) (iota n)
entry norm (p: point): f64 = f64.sqrt (p.x * p.x + p.y * p.y)
entry both (n: i64): (i64, []f64) = (n, replicate n 1)
entry size [n] (xs: [n]f64) (s: shape [n]): f64 =
  match s case #dot -> 0 case #line ys -> f64.sum (map2 (*) xs ys) case #box k p -> f64.i32 k * p.x * p.y
entry boxed (k: i32) (p: point): #box i32 point | #none = #box k p
#[slow] #[of(8)]
entry bump [n] (xs: *[n]i32): *[n]i32 = if n == 0 then xs else xs with [0] = xs[0] + 1
entry grid (n: i64) (m: i64): [n][m](i64, bool) = tabulate_2d n m (\\i j -> (i * m + j, i == j))
";

/// A client, and the server that it drives.
pub struct Client {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    /// The commands that succeeded.
    used: BTreeSet<String>,
}

impl Client {
    pub fn new(folder: &Folder, options: &[&str]) -> Client {
        let mut command = Command::new(folder.path("program"));
        command.arg("--server").args(options).env_clear().current_dir(folder.path(""));
        let mut server =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the executable starts");
        let from = BufReader::new(server.stdout.take().expect("standard output is a pipe"));
        let mut client = Client { to: server.stdin.take(), server, from, used: BTreeSet::new() };
        assert_eq!(client.answer(), Ok(vec![]));
        client
    }

    /// The lines of an answer, or of a failure.
    fn answer(&mut self) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let mut failed = false;
        loop {
            let mut line = String::new();
            assert_ne!(self.from.read_line(&mut line).expect("an answer is text"), 0, "the server has ended");
            match line.trim_end_matches('\n') {
                "%%% OK" if failed => return Err(lines.join("\n")),
                "%%% OK" => return Ok(lines),
                "%%% FAILURE" => failed = true,
                line => lines.push(line.to_owned()),
            }
        }
    }

    pub fn command(&mut self, command: &str) -> Result<Vec<String>, String> {
        let to = self.to.as_mut().expect("the server is there");
        writeln!(to, "{command}").and_then(|()| to.flush()).expect("the server reads");
        let answer = self.answer();
        if answer.is_ok() {
            self.used.extend(command.split_whitespace().next().map(str::to_owned));
        }
        answer
    }

    /// Asserts that the command is answered with these lines, except for run times.
    #[track_caller]
    pub fn says(&mut self, command: &str, expected: &[&str]) {
        let mut lines = self.command(command).unwrap_or_else(|failure| panic!("{command}: {failure}"));
        lines.retain(|line| !line.starts_with("runtime: "));
        assert_eq!(lines, expected, "{command}");
    }

    #[track_caller]
    pub fn refuses(&mut self, command: &str, part: &str) {
        let failure = self.command(command).expect_err(command);
        assert!(failure.contains(part), "{command}: {failure}");
    }

    /// The values of variables in text.
    pub fn text(&mut self, folder: &Folder, variables: &str) -> String {
        self.says(&format!("store stored {variables}"), &[]);
        let bytes = std::fs::read(folder.path("stored")).expect("values are stored");
        ravel_abi::write_text(&ravel_abi::read_any(&bytes).expect("they are values"))
    }

    /// Ends the server by closing its input.
    pub fn leave(mut self) {
        drop(self.to.take());
        assert!(self.server.wait().expect("the server ends").success());
    }
}

#[test]
fn every_command_follows_the_protocol() {
    for backend in ["cpu", "gpu"] {
        let folder = built(&format!("server_{backend}"), PROGRAM, backend)
            .with("data", "3i64 [1.5, 2.5, 3.5] [1, 2, 2] [5, 6] 7 true")
            .with("wrong", "1.5 [1");
        let mut client = Client::new(&folder, &["-P"]);
        client.says("entry_points", &["main", "points", "norm", "both", "size", "boxed", "bump", "grid"]);
        let types = client.command("types").expect("the program has types");
        for ty in ["f64", "[]f64", "point", "[]point", "(i64, []f64)", "#box i32 point | #none"] {
            assert!(types.iter().any(|known| known == ty), "{ty} is none of {types:?}");
        }
        client.says("inputs main", &["[]f64", "[]f64"]);
        client.says("inputs bump", &["*[]i32"]);
        client.says("output bump", &["*[]i32"]);
        client.says("output both", &["*(i64, []f64)"]);
        client.says("outputs both", &["*i64", "*[]f64"]);
        client.says("attributes bump", &["slow", "of(8)"]);
        client.says("attributes main", &[]);

        client.says("restore data n i64 xs []f64 ys []f64 is []i32 k i32 b bool", &[]);
        client.says("call main dot xs ys", &[]);
        assert_eq!(client.text(&folder, "dot n xs"), "13.5f64\n3i64\n[1.5f64, 2.5f64, 3.5f64]\n");
        client.says("rename dot product", &[]);
        client.says("type product", &["f64"]);
        client.says("call points ps n", &[]);
        client.says("type ps", &["[]point"]);

        // Arrays, of scalars and of records.
        client.says("rank [][]i32", &["2"]);
        client.says("elemtype []point", &["point"]);
        client.says("shape ps", &["3"]);
        client.says("index p ps 2", &[]);
        client.says("call norm r p", &[]);
        assert_eq!(client.text(&folder, "p r"), "2.0f64\n1.0f64\n2.23606797749979f64\n");
        client.says("set ps p 0", &[]);
        client.says("index first ps 0", &[]);
        assert_eq!(client.text(&folder, "first"), "2.0f64\n1.0f64\n");
        client.says("new_array four [][]point 2 2 p first p p", &[]);
        client.says("shape four", &["2", "2"]);
        client.says("unzip four fx fy", &[]);
        client.says("type fx", &["[][]f64"]);
        client.says("zip back [][]point fy fx", &[]);
        client.says("index corner back 1 1", &[]);
        assert_eq!(client.text(&folder, "corner"), "1.0f64\n2.0f64\n");
        client.says("call grid g n n", &[]);
        client.says("kind \"[][](i64, bool)\"", &["array"]);
        client.says("index cell g 1 2", &[]);
        assert_eq!(client.text(&folder, "cell"), "5i64\nfalse\n");
        client.says("type cell", &["(i64, bool)"]);

        // Records and tuples.
        client.says("kind point", &["record"]);
        client.says("fields point", &["x f64", "y f64"]);
        client.says("fields \"(i64, []f64)\"", &["0 i64", "1 []f64"]);
        client.says("fields (i64, []f64)", &["0 i64", "1 []f64"]);
        client.says("project px p x", &[]);
        client.says("new q point r px", &[]);
        client.says("project qy q y", &[]);
        assert_eq!(client.text(&folder, "px qy"), "2.0f64\n2.0f64\n");
        client.says("call both pair n", &[]);
        client.says("project ones pair 1", &[]);
        client.says("call both count rest n", &[]);
        assert_eq!(
            client.text(&folder, "ones rest count"),
            "[1.0f64, 1.0f64, 1.0f64]\n".repeat(2) + "3i64\n"
        );

        // Sums; an inactive payload has the sizes of the active ones.
        client.says("kind shape", &["sum"]);
        client.says("variants shape", &["box", "- i32", "- {x: f64, y: f64}", "dot", "line", "- []f64"]);
        client.says("construct s shape line ys", &[]);
        client.says("call size along xs s", &[]);
        client.says("construct t shape box k p", &[]);
        client.says("call size area xs t", &[]);
        assert_eq!(client.text(&folder, "along area"), "13.5f64\n14.0f64\n");
        client.says("new_array shapes []shape 1 t", &[]);
        client.says("store stored s t shapes", &[]);
        client.says("restore stored s2 shape t2 shape shapes2 []shape", &[]);
        client.says("call size longer xs s2", &[]);
        client.says("index first_shape shapes2 0", &[]);
        client.says("variant first_shape", &["box"]);
        client.says("variant t", &["box"]);
        client.says("call boxed box k p", &[]);
        client.says("variant box", &["box"]);
        client.says("destruct box k2 p2", &[]);
        assert_eq!(client.text(&folder, "k2 p2"), "7i32\n2.0f64\n1.0f64\n");

        // A consumed variable can only be freed.
        client.says("call bump js is", &[]);
        assert_eq!(client.text(&folder, "js"), "[6i32, 6i32]\n");
        client.refuses("call bump again is", "The variable is was consumed");
        client.refuses("store stored is", "The variable is was consumed");
        client.says("free is js", &[]);
        client.refuses("type is", "Unknown variable: is");

        let report = client.command("report").expect("calls are profiled").join("");
        assert_eq!(report.matches("\"name\":\"call ").count(), 11, "{report}");
        client.says("pause_profiling", &[]);
        client.says("clear", &[]);
        client.says("call main dot xs ys", &[]);
        client.says("report", &["{\"memory\":{\"peak bytes\":0},\"events\":[]}"]);
        client.says("unpause_profiling", &[]);
        client.says("tuning_params main", &[]);
        client.refuses("set_tuning_param tile 16", "there is no tuning parameter `tile`");
        client.refuses("tuning_param_class tile", "there is no tuning parameter `tile`");
        let unused = COMMANDS.iter().map(|command| command.name).filter(|name| !client.used.contains(*name));
        assert_eq!(unused.collect::<Vec<_>>(), ["set_tuning_param", "tuning_param_class"]);
        client.leave();
    }
}

#[test]
fn an_executable_can_start_as_a_server() {
    let folder = Folder::new("server_always").with("program.dsl", PROGRAM);
    folder.ravel(&["build", "--server", "program.dsl"], "").gives("");
    execute(&folder.path("program"), &[], "kind point").gives("%%% OK\nrecord\n%%% OK\n");
    execute(&folder.path("program"), &["--npy-in", "x"], "")
        .fails_with(2, "--server takes and gives values by its commands");
}

#[test]
fn refused_commands_change_nothing() {
    let folder = built("server_refuses", PROGRAM, "cpu")
        .with("data", "3i64 [1.5, 2.5, 3.5] [1, 2] [5] 7")
        .with("wrong", "1.5 [1")
        .with("one", "7 0 0.0 0.0 empty([0]f64)")
        .with("many", "[1, -1] [0, 0] [0.0, 0.0] [0.0, 0.0] [[1.0], [2.0]]")
        .with("pair", "5i32 [1.0, 2.0] [1.0, 2.0, 3.0]")
        .with("lines", "[2, 2] [0, 0] [0.0, 0.0] [0.0, 0.0] [[1.0]]");
    let mut client = Client::new(&folder, &[]);
    client.says("restore data n i64 xs []f64 ys []f64 is []i32 k i32", &[]);
    client.says("call points ps n", &[]);
    for (command, part) in [
        ("frobnicate", "Unknown command: frobnicate"),
        ("call", "call takes the words `ENTRY OUT IN...`, but got 0"),
        ("call none x", "Unknown entry point: none"),
        ("call main x xs", "main takes 3 variables, its result the first, but got 2"),
        ("call main x xs none", "Unknown variable: none"),
        ("call main xs xs ys", "Variable already exists: xs"),
        ("call main x xs n", "n has type i64, expected []f64"),
        (
            "call main x xs ys",
            "argument 2 (`ys`) has the wrong size\n  Expected: [n]f64 with n = 3\n  Actual:   [2]f64",
        ),
        ("call both a a n", "Variable already exists: a"),
        ("restore none x i64", "cannot read none: "),
        ("restore data x", "The variable x has no type: write `restore FILE VAR TYPE ...`"),
        ("restore data x y []f64", "The variable x has no type"),
        ("restore data x i64 y", "The variable y has no type"),
        ("restore data x nonsense", "Unknown type: nonsense"),
        ("restore data x []i64", "data: 1:1: value 1 (`x`)"),
        ("restore wrong x f64 y []f64", "wrong: 1:"),
        ("restore one x shape", "one: `x` holds constructor number 7 of a sum type with 3 constructors"),
        ("restore many x []shape", "many: `x` holds constructor number -1 of a sum type with 3 constructors"),
        ("restore pair k2 i32 x []point", "pair: `x` is made of arrays of different sizes"),
        ("restore lines x []shape", "lines: `x` is made of arrays of different sizes"),
        ("type k2", "Unknown variable: k2"),
        ("restore data n i64", "Variable already exists: n"),
        ("store none/x n", "cannot write none/x: "),
        ("store x none", "Unknown variable: none"),
        ("store program.dsl n", "program.dsl is a program, and would be overwritten"),
        ("store program n", "program is a program, and would be overwritten"),
        ("free n none", "Unknown variable: none"),
        ("rename n xs", "Variable already exists: xs"),
        ("rename none x", "Unknown variable: none"),
        ("inputs none", "Unknown entry point: none"),
        ("tuning_params none", "Unknown entry point: none"),
        ("kind none", "Unknown type: none"),
        ("kind [][]", "Unknown type: [][]"),
        ("rank i32", "i32 is not an array type"),
        ("shape n", "i64 is not an array type"),
        ("index x ps", "an array of rank 1 takes as many indices, but got 0"),
        ("index x ps 0 0", "an array of rank 1 takes as many indices, but got 2"),
        ("set ps n", "an array of rank 1 takes as many indices, but got 0"),
        ("index x ps 3", "Index [3] out of bounds for array of shape [3]"),
        ("index x ps -1", "`-1` is not a size or index"),
        ("index xs ps 0", "Variable already exists: xs"),
        ("set ps n 0", "n has type i64, expected point"),
        ("set ps n 9", "Index [9] out of bounds"),
        ("new_array x []i64 2 n", "an array [2] does not have 1 elements"),
        ("new_array x [][]i64 2", "[][]i64 has 2 sizes, but got 1"),
        ("new_array x []i32 1 n", "n has type i64, expected i32"),
        ("new_array x []i64 99999999999999999999", "is not a size or index"),
        ("zip x []point xs", "[]point has 2 fields, but got 1"),
        ("zip x []point xs ys", "the arrays have different sizes"),
        ("zip x []point xs is", "is has type []i32, expected []f64"),
        ("unzip xs a b", "f64 is not a record type"),
        ("unzip ps a", "the elements of ps have 2 fields, but got 1 names"),
        ("unzip ps a a", "Variable already exists: a"),
        ("fields i32", "i32 is not a record type"),
        ("new x point n", "point has 2 fields, but got 1"),
        ("new x point n n", "n has type i64, expected f64"),
        ("project x n y", "i64 is not a record type"),
        ("variants point", "point is not a sum type"),
        ("construct x \"#box i32 point | #none\" ball k", "has no variant ball"),
        ("construct x \"#box i32 point | #none\" box k", "box has a payload of 2 values, but got 1"),
        ("variant n", "i64 is not a sum type"),
        ("type \"n", "a double quote is not closed"),
    ] {
        client.refuses(command, part);
    }
    client.says("", &[]);
    client.says("construct x \"#box i32 point | #none\" none", &[]);
    client.refuses("destruct x a", "x is none with a payload of 0 values, but got 1 names");
    client.says("destruct x", &[]);
    client.refuses("call main y xs ys", "Expected: [n]f64 with n = 3");
    client.says("type xs", &["[]f64"]);
    client.leave();
}

/// The independent client runs in `cargo xtask client`, since it needs the network; this test has its commands.
#[test]
fn the_foreign_client_sends_every_command() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/xtask/src/client.py");
    let script = std::fs::read_to_string(script).expect("the script is there");
    for command in COMMANDS {
        let forms = [format!("cmd(\"{}\"", command.name), format!("cmd_{}(", command.name)];
        assert!(forms.iter().any(|form| script.contains(form)), "client.py never sends `{}`", command.name);
    }
}
