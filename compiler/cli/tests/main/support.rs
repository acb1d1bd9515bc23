//! Runs the built `ravel` in a temporary folder for each test.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// All backends.
pub const BACKENDS: [&str; 3] = ["interp", "cpu", "gpu"];

/// A folder of files for one test, in which `ravel` runs.
pub struct Folder(PathBuf);

/// The exit code and the output of a process.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
}

impl Folder {
    /// An empty folder. `test` is the name of the test.
    pub fn new(test: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the folder for temporary files can be written");
        Folder(path)
    }

    /// Adds a file.
    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Folder {
        std::fs::write(self.0.join(name), content).expect("a file can be written");
        self
    }

    /// Adds a folder.
    pub fn with_folder(self, name: &str) -> Folder {
        std::fs::create_dir(self.0.join(name)).expect("a folder can be made");
        self
    }

    /// The path of a file of this name.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The text of a file; `None` if there is none.
    pub fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(name)).ok()
    }

    /// The command `ravel` with these arguments, in this folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ravel"));
        command.args(args).current_dir(&self.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs `ravel` with these arguments and this standard input.
    pub fn ravel(&self, args: &[&str], input: impl AsRef<[u8]>) -> Outcome {
        finish(self.command(args).spawn().expect("ravel starts"), input.as_ref())
    }
}

/// Feeds a process and waits for its end.
pub fn finish(mut process: Child, input: &[u8]) -> Outcome {
    let mut stdin = process.stdin.take().expect("standard input is a pipe");
    // A process that fails early may not read its input.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = process.wait_with_output().expect("ravel ends");
    let err = String::from_utf8(output.stderr).expect("standard error is text");
    Outcome { code: output.status.code(), out: output.stdout, err }
}

impl Outcome {
    /// Asserts success with this standard output and an empty standard error.
    #[track_caller]
    pub fn gives(&self, out: &str) {
        assert_eq!((self.code, self.text(), self.err.as_str()), (Some(0), out, ""));
    }

    /// Asserts failure with this code and exactly this message, without a result.
    #[track_caller]
    pub fn fails(&self, code: i32, err: &str) {
        assert_eq!((self.code, self.text(), self.err.as_str()), (Some(code), "", err));
    }

    /// Asserts failure with this code and an uncoloured message that contains this text, without a result.
    #[track_caller]
    pub fn fails_with(&self, code: i32, part: &str) {
        assert_eq!((self.code, self.text()), (Some(code), ""), "{}", self.err);
        assert!(self.err.contains(part), "{}", self.err);
        assert!(!self.err.contains('\u{1b}') && !self.err.contains("panicked"), "{}", self.err);
        assert!(self.err.ends_with('\n'), "{:?}", self.err);
    }

    /// Standard output as text.
    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("standard output is text")
    }
}
