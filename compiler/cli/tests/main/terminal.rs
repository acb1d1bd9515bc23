//! Runs `ravel` at a pseudo-terminal.

use std::io::{Read, Write};
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};

use crate::support::Folder;

/// The timeout of every wait.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process at a terminal.
pub struct Terminal {
    /// Written to by the test, read by a thread.
    pty: Arc<Pty>,
    child: Child,
    written: Receiver<Vec<u8>>,
    /// Output that no test has read yet.
    unseen: Vec<u8>,
}

impl Terminal {
    /// Starts `ravel` with these arguments and variables in a folder, which also has its history.
    pub fn start(folder: &Folder, args: &[&str], variables: &[(&str, &str)]) -> Terminal {
        let (pty, pts) = open().expect("the system has pseudo-terminals");
        pty.resize(Size::new(40, 120)).expect("it has a size");
        let command = Command::new(env!("CARGO_BIN_EXE_ravel"))
            .args(args)
            .current_dir(folder.path(""))
            .env("XDG_STATE_HOME", folder.path("state"))
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied());
        let child = command.spawn(pts).expect("ravel starts");
        let pty = Arc::new(pty);
        let (sender, written) = channel();
        let reader = pty.clone();
        std::thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            // Reading fails when the process has closed its end.
            while let Ok(count @ 1..) = (&*reader).read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal { pty, child, written, unseen: Vec::new() }
    }

    /// Types a text.
    pub fn types(&self, bytes: impl AsRef<[u8]>) {
        (&*self.pty).write_all(bytes.as_ref()).expect("the process reads");
    }

    /// Waits for this text; returns the output before it, and the time.
    #[track_caller]
    pub fn sees(&mut self, text: &str) -> (String, Duration) {
        let begin = Instant::now();
        // The text does not begin before this position, so a search need not restart at the beginning.
        let mut from = 0;
        loop {
            let found = self.unseen[from..].windows(text.len()).position(|window| window == text.as_bytes());
            if let Some(at) = found.map(|at| from + at) {
                let seen: Vec<u8> = self.unseen.drain(..at + text.len()).collect();
                return (String::from_utf8_lossy(&seen[..at]).into_owned(), begin.elapsed());
            }
            from = self.unseen.len().saturating_sub(text.len());
            match self.written.recv_timeout(PATIENCE.saturating_sub(begin.elapsed())) {
                Ok(bytes) => self.unseen.extend(bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    let unseen = String::from_utf8_lossy(&self.unseen);
                    let last = unseen.char_indices().rev().nth(2000).map_or(0, |(at, _)| at);
                    panic!("no {text:?} in {:?}", &unseen[last..]);
                }
            }
        }
    }

    /// Waits for the next prompt. The line editor changes the mode of the terminal then, so earlier input may be lost.
    #[track_caller]
    pub fn wait_for_prompt(&mut self) {
        // A line editor sends this once for each prompt, to enable pasted text.
        self.sees("\x1b[?2004h");
    }

    /// Waits for the end of the process, and returns its exit code.
    #[track_caller]
    pub fn ends(mut self) -> Option<i32> {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is a process") {
                return status.code();
            }
            if begin.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("it does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Terminal {
    /// Kills the process when a test fails.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
