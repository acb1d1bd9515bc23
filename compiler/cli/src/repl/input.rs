//! Where inputs come from when nobody types them: lines of a pipe or a file, put together until they
//! are finished.

use std::io::{BufRead, ErrorKind};

use ravel_driver::session::{Class, Reading, classes, reading};

use super::Said;

/// Lines of standard input.
pub struct Lines<R>(pub R);

impl<R: BufRead> Lines<R> {
    /// The next input.
    pub fn next(&mut self) -> Said {
        let mut text = String::new();
        let mut open = 0;
        loop {
            let mut line = Vec::new();
            match self.0.read_until(b'\n', &mut line) {
                Ok(0) if text.is_empty() => return Said::End,
                Ok(0) => return Said::Text(text),
                Ok(_) => {}
                Err(trouble) if trouble.kind() == ErrorKind::Interrupted => continue,
                Err(trouble) => return Said::Broken(format!("cannot read standard input: {trouble}"), true),
            }
            let Ok(line) = String::from_utf8(line) else {
                return Said::Broken("this line is not UTF-8 text".to_owned(), false);
            };
            open += brackets(&line);
            text += &line;
            // Whether a long input is finished is not asked at every bracket that is open.
            if text.starts_with(':') || open <= 0 && reading(&text) != Reading::Unfinished {
                return Said::Text(text);
            }
        }
    }
}

/// How many brackets a line opens more than it closes.
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
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines(bytes);
        let mut texts = Vec::new();
        loop {
            match lines.next() {
                Said::Text(text) => texts.push(text),
                Said::Broken(why, _) => texts.push(format!("broken: {why}")),
                Said::Interrupted | Said::End => return texts,
            }
        }
    }

    #[test]
    fn lines_are_put_together_until_they_are_finished() {
        let text = b"1\ndef f (x: i32) =\n  x + 1\n:type f\nf (\n -- )\n 1)\n";
        assert_eq!(texts(text), ["1\n", "def f (x: i32) =\n  x + 1\n", ":type f\n", "f (\n -- )\n 1)\n"]);
    }

    #[test]
    fn what_is_not_finished_at_the_end_is_an_input_too() {
        assert_eq!(texts(b"f (\n1"), ["f (\n1"]);
        assert_eq!(texts(b""), Vec::<String>::new());
        assert_eq!(texts(b"\xff\n2\n"), ["broken: this line is not UTF-8 text", "2\n"]);
    }

    #[test]
    fn many_lines_in_brackets_are_read_in_time() {
        let begin = std::time::Instant::now();
        let text = format!("def xs = [\n{}0]\n", "1,\n".repeat(100_000));
        assert_eq!(texts(text.as_bytes()).len(), 1);
        assert!(begin.elapsed().as_secs() < 30);
    }
}
