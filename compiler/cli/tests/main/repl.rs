//! `ravel repl`, piped and at a terminal. Errors never end a session.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::Folder;
use crate::terminal::Terminal;

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

/// Without colours, so that texts can be searched.
const PLAIN: [(&str, &str); 1] = [("NO_COLOR", "1")];

/// An endless loop that no rewrite removes.
const ENDLESS: &str = "loop (x: i64) = 1 while x != 0 do (x * 3) % 1000 + 1\r";

#[test]
fn a_piped_session_has_neither_prompt_nor_colours() {
    let folder = Folder::new("repl_piped");
    let input = "def f (x: i32) =\n  x + 1\n\n-- a comment\nf 2\nmap f [1, 2]\n:type f\n";
    folder.ravel(&["repl"], input).gives("def f (x: i32): i32\n3i32\n[2i32, 3i32]\ni32 -> i32\n");
    folder.ravel(&["repl"], "").gives("");
    folder.ravel(&["repl"], "1").gives("1i32\n");
    folder.ravel(&["repl"], ":quit\nnever\n").gives("");
    let input = "let a = 1\nin a + 1\n[1, 2]\n|> map (+ 1)\nmatch 1i8\ncase 1 -> 2i8\ncase _ -> 3\n";
    folder.ravel(&["repl"], input).gives("2i32\n[2i32, 3i32]\n2i8\n");
}

#[test]
fn errors_are_reported_and_do_not_end_the_session() {
    let folder = Folder::new("repl_errors");
    for (input, message) in [
        ("missing", "error[E0101]: Unknown name \"missing\"\n  --> input 1:1:1\n"),
        ("def g = missing", "error[E0101]: Unknown name \"missing\"\n  --> input 1:1:9\n"),
        (
            "[1, 2][2]",
            "Error: Index [2] out of bounds for array of shape [2].\n\nBacktrace:\n-> #0  input 1:1:1-9\n",
        ),
        (")", "error[E0003]: Unexpected token: ')'"),
        (":frobnicate", "error: there is no command `:frobnicate`; `:help` lists them\n"),
        (":", "error: there is no command `:`"),
        (":type", "error: `:type` needs an argument: EXPRESSION\n"),
        (":quit now", "error: `:quit` takes no argument\n"),
        (":load none.dsl", "error: cannot read none.dsl: "),
        (":load none", "error: none is not a program"),
        (":reload", "error: no program is loaded"),
        (":core", "error: no program is loaded"),
        (":core map", "error[E0501]: Entry point \"it_\" may not have type parameters"),
        (
            ":bench map",
            "error: the value of this expression cannot be shown: its type is (a -> b) -> [n]a -> *[n]b\n",
        ),
        (
            ":backend cuda",
            "error: there is no backend `cuda`; the backends are `cpu`, `gpu`, `interp`, `model`\n",
        ),
        (":set colour on", "error: there is no setting `colour`"),
        (":set threads 0", "error: `0` is not a value of `threads`"),
    ] {
        let output = folder.ravel(&["repl"], format!("{input}\n7i64\n"));
        assert!(output.err.contains(message), "{input}: {}", output.err);
        assert!(!output.err.contains("panicked") && !output.err.contains('\x1b'), "{input}: {}", output.err);
        assert_eq!(output.code, Some(1), "{input}");
        assert!(
            matches!(output.text(), "7i64\n" | ": (a -> b) -> [n]a -> *[n]b\n"),
            "{input}: {}",
            output.text()
        );
    }
}

/// The name of a function means the prelude's definition in its body, and not the one that it replaces.
#[test]
fn a_definition_replaces_the_earlier_one_but_not_the_prelude() {
    let folder = Folder::new("repl_names");
    let input = "def length [n] (xs: [n]i32): i32 = 10 * i32.i64 (length xs)\n\
                 def length [n] (xs: [n]i32): i32 = 100 * i32.i64 (length xs)\nlength [1, 2]\n\
                 def f (n: i32): i32 = n\ndef f (n: i32): i32 = if n == 0 then 5 else 1 + f (n - 1)\n\
                 local def f (n: i32): bool = n > 0\nf 3\n";
    let output = folder.ravel(&["repl"], input);
    let types = "def length [n] (xs: [n]i32): i32\n";
    let functions = "def f (n: i32): i32\ndef f (n: i32): i32\ndef f (n: i32): bool\n";
    let text = format!("{types}{types}200i32\n{functions}8i32\n");
    assert_eq!((output.code, output.text()), (Some(0), text.as_str()), "{}", output.err);
    let warning = "\"length\" here means the prelude's, not the function itself";
    assert_eq!(output.err.matches(warning).count(), 2, "{}", output.err);
    assert_eq!(output.err.matches("warning").count(), 2, "{}", output.err);
}

/// The input has no end, and the reader closes the output after one answer.
#[test]
fn a_session_ends_when_its_output_is_closed() {
    for (input, answer) in [("1i8", "1i8\n"), ("def x = 1i8", "def x: i8\n"), (":backend", "cpu\n")] {
        let begin = Instant::now();
        let pipe = format!("yes '{input}' | timeout 60 \"$0\" repl | head -1");
        let ended = Command::new("sh").args(["-c", &pipe, env!("CARGO_BIN_EXE_ravel")]).output();
        let ended = ended.expect("a shell starts");
        assert_eq!(String::from_utf8_lossy(&ended.stdout), answer);
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{input}");
        assert!(begin.elapsed() < Duration::from_secs(60), "{input}: it went on");
    }
}

#[test]
fn hostile_pipes_are_survived() {
    let folder = Folder::new("repl_hostile");
    let long = format!("{}1\n2i8\n", "1 + ".repeat(250_000));
    let output = folder.ravel(&["repl"], long);
    assert_eq!((output.code, output.text()), (Some(1), "2i8\n"));
    assert!(output.err.contains("This expression is too long"), "{:.300}", output.err);
    let output = folder.ravel(&["repl"], b"1i8\n\xff\xfe\n2i8\n\0\n3i8");
    assert_eq!((output.code, output.text()), (Some(1), "1i8\n2i8\n3i8\n"));
    assert!(output.err.starts_with("error: this line is not UTF-8 text\n"), "{}", output.err);
    let output = folder.ravel(&["repl"], "1i8\nf (1,");
    assert_eq!((output.code, output.text()), (Some(1), "1i8\n"));
    assert!(output.err.starts_with("error[E0003]: Unexpected end of file"), "{}", output.err);
    let output = folder.ravel(&["repl"], "def g (x: i32) =\n  x +\n");
    assert_eq!((output.code, output.text()), (Some(1), ""));
    assert!(output.err.starts_with("error[E0003]: Unexpected end of file"), "{}", output.err);
    assert_eq!(output.err.matches("error[").count(), 1, "{}", output.err);
}

#[test]
fn programs_are_loaded_and_reloaded() {
    let program = "import \"part\"\nentry main (x: i32): i32 = x + part\n";
    let folder = Folder::new("repl_load").with("a.dsl", program).with("part.dsl", "def part: i32 = 5\n");
    folder.ravel(&["repl", "a.dsl"], "main 1\n").gives("entry main (x: i32): i32\n6i32\n");
    let output =
        folder.ravel(&["repl"], ":load a.dsl\ndef twice = main (main 0)\ntwice\n:reload\ntwice\n:core\n");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
    let text = "entry main (x: i32): i32\ndef twice: i32\n10i32\nentry main (x: i32): i32\n10i32\nfun main (";
    assert!(output.text().starts_with(text), "{}", output.text());
    let folder = folder.with("a b.dsl", "def five = 5i8\n");
    for load in [":load \"a b.dsl\"", ":load a\\ b.dsl", ":load a b.dsl"] {
        folder.ravel(&["repl"], format!("{load}\nfive\n")).gives("def five: i8\n5i8\n");
    }
    folder.ravel(&["repl", "a b.dsl"], "five\n").gives("def five: i8\n5i8\n");
    let output = folder.ravel(&["repl", "none.dsl"], "1\n");
    assert_eq!((output.code, output.text()), (Some(1), "1i32\n"));
}

#[test]
fn imports_and_the_last_value_stay_in_scope() {
    let folder = Folder::new("repl_last").with("part.dsl", "def part: i32 = 5\n");
    let input = "import \"sorts\"\nmerge_sort (<=) [3, 1, 2i32]\nit[0]\nimport \"part\"\npart + it\n\
                 def five = it - 1\ntrue\n(it, five)\n";
    folder
        .ravel(&["repl"], input)
        .gives("[1i32, 2i32, 3i32]\n1i32\n6i32\ndef five: i32\ntrue\n(true, 5i32)\n");
    let output = folder.ravel(&["repl"], "7i8\n[1, 2][it]\n[1, 2][3]\nit\n");
    assert_eq!((output.code, output.text()), (Some(1), "7i8\n7i8\n"));
}

#[test]
fn the_compiler_shows_every_form() {
    let folder = Folder::new("repl_forms");
    for (command, part) in [
        (":core", "entry it_ = it_ ()"),
        (":kernel", "segment "),
        (":wgsl", "@compute"),
        (":clif", "function "),
        (":explain", " in the source, "),
        (":passes", "simplify "),
        (":time", "compiled in "),
        (":bench", " with 95 % confidence)"),
    ] {
        let output = folder.ravel(&["repl"], format!("{command} i64.sum (map (* 3) (iota 1000))\n"));
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{command}");
        assert!(output.text().contains(part), "{command}: {}", output.text());
    }
}

#[test]
fn every_backend_answers() {
    let folder = Folder::new("repl_backends");
    let ask = "i64.sum (iota 10)\n";
    let input = format!(":backend\n{ask}:backend interp\n{ask}:backend gpu\n{ask}:set threads 1\n:backend\n");
    folder.ravel(&["repl"], input).gives("cpu\n45i64\n45i64\n45i64\ngpu\n");
    let output = folder.ravel(&["repl", "--backend", "interp"], "trace 1i8\nmap\n");
    assert_eq!((output.code, output.err.as_str()), (Some(0), "trace at input 1:1:1-9: 1i8\n"));
    assert_eq!(output.text(), "1i8\n: (a -> b) -> [n]a -> *[n]b\n");
}

#[test]
fn a_terminal_has_prompt_colours_history_and_completion() {
    let folder = Folder::new("repl_terminal");
    let mut terminal = Terminal::start(&folder, &["repl"], &[]);
    terminal.sees("type :help for a list of commands");
    terminal.wait_for_prompt();
    terminal.types("let x = 41");
    let (drawn, _) = terminal.sees("\x1b[32m41");
    assert!(drawn.contains("\x1b[1;34mlet\x1b[0m x ="), "{drawn:?}");
    terminal.types("\r");
    terminal.sees("def x: i32\r\n");
    terminal.wait_for_prompt();
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), Some(0));
    let mut terminal = Terminal::start(&folder, &["repl"], &PLAIN);
    terminal.wait_for_prompt();
    terminal.types("f64.sq\t 4\r");
    terminal.sees("> f64.sqrt");
    terminal.sees("2.0f64\r\n");
    terminal.wait_for_prompt();
    // Completion adds the blank.
    terminal.types(":expl\t1\r");
    terminal.sees("0 parallel operators in the source, 0 constructs in the optimised program.\r\n");
    terminal.wait_for_prompt();
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), Some(0));
    // The next session remembers the inputs of this one.
    let mut terminal = Terminal::start(&folder, &["repl"], &PLAIN);
    terminal.wait_for_prompt();
    terminal.types("\x1b[A\x1b[A\r");
    let (drawn, _) = terminal.sees("2.0f64\r\n");
    assert!(drawn.contains("> f64.sqrt 4") && !drawn.contains("\x1b[32m"), "{drawn:?}");
}

#[test]
fn an_input_continues_until_it_is_complete() {
    let folder = Folder::new("repl_lines");
    let mut terminal = Terminal::start(&folder, &["repl"], &PLAIN);
    terminal.wait_for_prompt();
    terminal.types("(1i8,\r2i8,\r3i8)\r");
    terminal.sees("\r\n(1i8, 2i8, 3i8)\r\n");
    terminal.wait_for_prompt();
    terminal.types("(1i8,\r\r");
    terminal.sees("Unexpected end of file");
    terminal.wait_for_prompt();
    terminal.types("(1i8,\r");
    terminal.sees("(1i8,\r\n");
    terminal.types(CTRL_C);
    terminal.wait_for_prompt();
    terminal.types("5i8\r");
    terminal.sees("\r\n5i8\r\n");
    terminal.wait_for_prompt();
    let pasted = "def f (x: i8) =\n  x\n  + 1\nf 1\n:type f\nf 2";
    terminal.types(format!("\x1b[200~{pasted}\x1b[201~\r"));
    terminal.sees("\r\ndef f (x: i8): i8\r\n2i8\r\ni8 -> i8\r\n3i8\r\n");
    terminal.wait_for_prompt();
    // Alt-Enter.
    terminal.types("let a = 4i8\x1b\rin a + 1\r");
    terminal.sees("\r\n5i8\r\n");
}

#[test]
fn an_endless_loop_is_interrupted_within_a_second() {
    let folder = Folder::new("repl_endless");
    for backend in ["cpu", "interp"] {
        let mut terminal = Terminal::start(&folder, &["repl", "--backend", backend], &PLAIN);
        for _ in 0..2 {
            terminal.wait_for_prompt();
            terminal.types(ENDLESS);
            // From here on the line is read.
            terminal.sees("\x1b[?2004l");
            std::thread::sleep(Duration::from_millis(300));
            terminal.types(CTRL_C);
            let (_, took) = terminal.sees("\r\nerror: interrupted\r\n");
            assert!(took < Duration::from_secs(1), "{backend}: {took:?}");
        }
        terminal.wait_for_prompt();
        terminal.types("6i8\r");
        terminal.sees("\r\n6i8\r\n");
        terminal.wait_for_prompt();
        terminal.types(CTRL_D);
        assert_eq!(terminal.ends(), Some(0), "{backend}");
    }
}

/// A kernel cannot be stopped. The session continues without it, on the same backend and on others, and ends.
#[test]
fn an_endless_kernel_does_not_block_the_session() {
    let folder = Folder::new("repl_kernel");
    let mut terminal = Terminal::start(&folder, &["repl", "--backend", "gpu"], &PLAIN);
    terminal.wait_for_prompt();
    terminal.types("map (\\i -> loop (x: i64) = i while x != -7 do x * 2) (iota 3)\r");
    terminal.sees("\x1b[?2004l");
    std::thread::sleep(Duration::from_millis(1500));
    terminal.types(CTRL_C);
    let (_, took) = terminal.sees("\r\nerror: interrupted\r\n");
    assert!(took < Duration::from_secs(1), "{took:?}");
    for (input, answer) in [("map (+ 1i8) [6]", "[7i8]"), (":backend cpu", ""), ("map (+ 1i8) [7]", "[8i8]")]
    {
        terminal.wait_for_prompt();
        terminal.types(format!("{input}\r"));
        terminal.sees(&format!("\r\n{answer}"));
    }
    terminal.wait_for_prompt();
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn a_long_answer_is_interrupted_too() {
    let folder = Folder::new("repl_long");
    let mut terminal = Terminal::start(&folder, &["repl"], &PLAIN);
    terminal.wait_for_prompt();
    terminal.types(":set elements 10000000\r");
    terminal.wait_for_prompt();
    terminal.types("iota 10000000\r");
    terminal.sees("[0i64, 1i64, 2i64");
    terminal.types(CTRL_C);
    let (_, took) = terminal.sees("\r\nerror: interrupted\r\n");
    assert!(took < Duration::from_secs(1), "{took:?}");
    terminal.wait_for_prompt();
    terminal.types("9i8\r");
    terminal.sees("\r\n9i8\r\n");
}

#[test]
fn hostile_keys_are_survived() {
    let folder = Folder::new("repl_keys");
    let mut terminal = Terminal::start(&folder, &["repl"], &PLAIN);
    terminal.wait_for_prompt();
    terminal.types(b"\xff\xfe\x80\r");
    terminal.sees("this line is not UTF-8 text");
    terminal.wait_for_prompt();
    terminal.types("7i8\r");
    terminal.sees("\r\n7i8\r\n");
    terminal.wait_for_prompt();
    // A pasted line of a megabyte.
    terminal.types(format!("\x1b[200~{}1i8\x1b[201~", "1 + ".repeat(250_000)));
    terminal.types("\r");
    terminal.sees("This expression is too long");
    terminal.wait_for_prompt();
    terminal.types("8i8\r");
    terminal.sees("\r\n8i8\r\n");
    terminal.wait_for_prompt();
    terminal.types("f (");
    terminal.types(CTRL_D);
    terminal.sees("f (");
    terminal.types(CTRL_C);
    terminal.wait_for_prompt();
    terminal.types(CTRL_D);
    assert_eq!(terminal.ends(), Some(0));
}
