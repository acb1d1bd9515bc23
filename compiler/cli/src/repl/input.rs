//! Groups lines into inputs. An input is the shortest complete sequence of lines, plus the lines after it that continue
//! it. A line continues an input if it is empty, or is indented more than the first line, or begins with a token that
//! cannot begin an input, such as `in` or `|>`.
//!
//! On a pipe, waiting for such a line could deadlock with a client that waits for the answer. So the next line continues an
//! input only if it is already available, as it is from a file.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use ravel_driver::session::{Class, classes, continues, is_unfinished};

use super::Event;

/// The time to wait for a continuation line.
const CONTINUATION_WAIT: Duration = Duration::from_millis(10);

/// The maximum number of bytes of one read.
const PART: usize = 1 << 16;

/// A stream of lines, grouped into inputs.
pub struct Lines {
    parts: Receiver<io::Result<Vec<u8>>>,
    /// Complete lines that are not yet part of an input.
    ahead: VecDeque<Vec<u8>>,
    /// The start of the line after them.
    rest: Vec<u8>,
    /// The read error that ended the stream.
    trouble: Option<io::Error>,
}

impl Lines {
    /// The lines of a stream. A thread reads it, so that the availability of a further line can be tested without blocking.
    pub fn of(mut stream: impl Read + Send + 'static) -> Lines {
        let (send, parts) = sync_channel(1);
        let sender = send.clone();
        let reader = move || {
            let mut part = vec![0; PART];
            loop {
                let read = match stream.read(&mut part) {
                    Ok(0) => return,
                    Ok(count) => Ok(part[..count].to_vec()),
                    Err(trouble) if trouble.kind() == ErrorKind::Interrupted => continue,
                    Err(trouble) => Err(trouble),
                };
                let last = read.is_err();
                if sender.send(read).is_err() || last {
                    return;
                }
            }
        };
        if let Err(trouble) = thread::Builder::new().name("ravel input".to_owned()).spawn(reader) {
            let _ = send.try_send(Err(trouble));
        }
        Lines { parts, ahead: VecDeque::new(), rest: Vec::new(), trouble: None }
    }

    /// The lines of a text, all available.
    fn of_text(text: &str) -> Lines {
        let (_, parts) = sync_channel(0);
        let mut lines = Lines { parts, ahead: VecDeque::new(), rest: Vec::new(), trouble: None };
        lines.add(text.as_bytes());
        lines
    }

    /// The next input.
    pub fn next(&mut self) -> Event {
        let mut text = String::new();
        let mut open = 0;
        while (text.is_empty() || !self.is_whole(&text, open)) && self.has_line(None) {
            let Ok(line) = String::from_utf8(self.ahead.pop_front().unwrap_or_default()) else {
                return Event::Broken("this line is not UTF-8 text".to_owned(), false);
            };
            open += brackets(&line);
            text += &line;
            if text.trim().is_empty() {
                text.clear();
            }
        }
        if !text.is_empty() {
            return Event::Text(text);
        }
        match self.trouble.take() {
            Some(trouble) => Event::Broken(format!("cannot read standard input: {trouble}"), true),
            None => Event::End,
        }
    }

    /// Whether this is a whole input, without a continuation in the next line.
    fn is_whole(&mut self, text: &str, open: i64) -> bool {
        let available = self.has_line(Some(Instant::now() + CONTINUATION_WAIT));
        let next = self.ahead.front().filter(|_| available).and_then(|line| str::from_utf8(line).ok());
        if next.is_some_and(|line| line.trim().is_empty() || indentation(line) > indentation(text)) {
            return false;
        }
        // The parser runs only if all brackets are closed: on every line of a long input it would be slow.
        is_command(text)
            || open <= 0
                && is_finished(text)
                && !next.is_some_and(|line| !is_command(line) && continues(text, line))
    }

    /// Whether a next line is available by this time. Without a time, waits for it.
    fn has_line(&mut self, until: Option<Instant>) -> bool {
        while self.ahead.is_empty() {
            let part = match until {
                None => self.parts.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.parts.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match part {
                Ok(Ok(part)) => self.add(&part),
                Ok(Err(trouble)) => self.trouble = Some(trouble),
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) if self.rest.is_empty() => return false,
                Err(RecvTimeoutError::Disconnected) => self.ahead.push_back(std::mem::take(&mut self.rest)),
            }
        }
        true
    }

    fn add(&mut self, part: &[u8]) {
        for piece in part.split_inclusive(|&byte| byte == b'\n') {
            self.rest.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.ahead.push_back(std::mem::take(&mut self.rest));
            }
        }
    }
}

/// The inputs of a text with several lines; at least one.
pub fn inputs(text: &str) -> Vec<String> {
    let mut lines = Lines::of_text(text);
    let mut inputs = Vec::new();
    while let Event::Text(input) = lines.next() {
        inputs.push(input);
    }
    if inputs.is_empty() {
        inputs.push(String::new());
    }
    inputs
}

/// Whether it is a complete input. A command is one line.
pub fn is_finished(text: &str) -> bool {
    is_command(text) || !is_unfinished(text)
}

fn is_command(text: &str) -> bool {
    text.trim_start().starts_with(':')
}

/// The indentation of a line, in bytes.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The number of brackets that a line opens, less those that it closes.
fn brackets(line: &str) -> i64 {
    let (mut count, mut from) = (0, 0);
    let mut add = |part: &str| {
        for letter in part.chars() {
            count += match letter {
                '(' | '[' | '{' => 1,
                ')' | ']' | '}' => -1,
                _ => 0,
            };
        }
    };
    for (range, class) in classes(line) {
        if matches!(class, Class::Comment | Class::Literal) {
            add(&line[from..range.start]);
            from = range.end;
        }
    }
    add(&line[from..]);
    count
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    fn texts(bytes: &[u8]) -> Vec<String> {
        all(Lines::of(Cursor::new(bytes.to_vec())))
    }

    fn all(mut lines: Lines) -> Vec<String> {
        let mut texts = Vec::new();
        loop {
            match lines.next() {
                Event::Text(text) => texts.push(text),
                Event::Broken(why, _) => texts.push(format!("broken: {why}")),
                Event::Interrupted | Event::End => return texts,
            }
        }
    }

    #[test]
    fn lines_are_joined_to_complete_inputs() {
        let text = b"1\ndef f (x: i32) =\n  x + 1\n:type f\nf (\n -- )\n 1)\n";
        assert_eq!(texts(text), ["1\n", "def f (x: i32) =\n  x + 1\n", ":type f\n", "f (\n -- )\n 1)\n"]);
    }

    #[test]
    fn an_incomplete_input_at_the_end_is_an_input() {
        assert_eq!(texts(b"f (\n1"), ["f (\n1"]);
        assert_eq!(texts(b""), Vec::<String>::new());
        assert_eq!(texts(b"\xff\n2\n"), ["broken: this line is not UTF-8 text", "2\n"]);
    }

    #[test]
    fn pasted_text_is_split_into_inputs_by_lines() {
        for pasted in [
            "1+1\n2+2",
            "def t1 = 1i32\ndef t2 = 2i32\nt1 + t2\n",
            ":type 1\n2\n",
            "f (\n1,\n2)\n3\n",
            "def f (x: i32) =\n  let y = x\n  in y + 1\nf 2\n",
            "f (\n1",
        ] {
            assert_eq!(inputs(pasted), texts(pasted.as_bytes()), "{pasted:?}");
        }
        assert_eq!(inputs(""), [""]);
    }

    #[test]
    fn indented_lines_and_continuation_tokens_continue_an_input() {
        for (text, wanted) in [
            ("def f xs =\n  map (+ 1) xs\n\n  |> i32.sum\nf [1]\n", 2),
            ("let a = 1\nin a + 1\n", 1),
            ("let a = 1\n\nin a + 1\n", 1),
            ("[1, 2]\n|> map (+ 1)\n|> i32.sum\n3\n", 2),
            ("match 1\ncase 1 -> 2\ncase _ -> 3\n", 1),
            // An indented document in a script.
            ("    1 + 1\n    2 + 2\n      + 3\n", 2),
            ("1\n)\n2\n", 3),
            ("1\n- 2\n", 2),
            (":type 1\n|> 2\n", 2),
            ("1\n:type 1\n", 2),
            ("\n\n1\n", 1),
        ] {
            assert_eq!(texts(text.as_bytes()).len(), wanted, "{text:?}: {:?}", texts(text.as_bytes()));
            assert_eq!(inputs(text), texts(text.as_bytes()), "{text:?}");
        }
    }

    /// A client that writes a line and waits for the answer gets it without writing another line.
    #[test]
    fn continuation_lines_are_not_waited_for() {
        let (reader, mut writer) = io::pipe().expect("there are pipes");
        let mut lines = Lines::of(reader);
        for line in ["let a = 1\n", "in a + 1\n"] {
            writer.write_all(line.as_bytes()).expect("it is read");
            assert!(matches!(lines.next(), Event::Text(text) if text == line), "{line}");
        }
        writer.write_all(b"(1,\n2").expect("it is read");
        drop(writer);
        assert_eq!(all(lines), ["(1,\n2"]);
    }

    #[test]
    fn a_read_error_comes_after_the_inputs_before_it() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("it is broken"))
            }
        }
        let lines = Lines::of(Cursor::new(b"1\n2\n").chain(Broken));
        assert_eq!(all(lines), ["1\n", "2\n", "broken: cannot read standard input: it is broken"]);
    }

    #[test]
    fn many_lines_in_brackets_are_read_in_time() {
        let begin = std::time::Instant::now();
        let text = format!("def xs = [\n{}0]\n", "1,\n".repeat(100_000));
        assert_eq!(texts(text.as_bytes()).len(), 1);
        assert!(begin.elapsed().as_secs() < 30);
    }
}
