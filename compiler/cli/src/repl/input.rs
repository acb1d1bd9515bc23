//! Where inputs come from when nobody types them: lines of a pipe or a file, put together until they
//! are finished. A text that was pasted is taken apart into the same inputs; but there it is known what follows, so
//! that a line which is indented goes on with those before it.

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
            if text.starts_with(':') || open <= 0 && is_finished(&text) {
                return Said::Text(text);
            }
        }
    }
}

/// The inputs that a text of several lines holds; at least one.
pub fn inputs(text: &str) -> Vec<String> {
    let (mut inputs, mut input, mut open) = (Vec::new(), String::new(), 0);
    for line in text.split_inclusive('\n') {
        let begins = !line.starts_with(char::is_whitespace) && !input.trim().is_empty();
        if begins && (open <= 0 || input.starts_with(':')) && is_finished(&input) {
            inputs.push(std::mem::take(&mut input));
            open = 0;
        }
        if input.trim().is_empty() {
            input.clear();
        }
        open += brackets(line);
        input += line;
    }
    inputs.push(input);
    inputs
}

/// Is it a whole input? A command is one line.
pub fn is_finished(text: &str) -> bool {
    text.starts_with(':') || reading(text) != Reading::Unfinished
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
    fn a_pasted_text_is_the_inputs_that_its_lines_are() {
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
    fn an_indented_line_goes_on_with_a_pasted_input() {
        let pasted = "def f xs =\n  map (+ 1) xs\n\n  |> i32.sum\nf [1]\n";
        assert_eq!(inputs(pasted), ["def f xs =\n  map (+ 1) xs\n\n  |> i32.sum\n", "f [1]\n"]);
    }

    #[test]
    fn many_lines_in_brackets_are_read_in_time() {
        let begin = std::time::Instant::now();
        let text = format!("def xs = [\n{}0]\n", "1,\n".repeat(100_000));
        assert_eq!(texts(text.as_bytes()).len(), 1);
        assert!(begin.elapsed().as_secs() < 30);
    }
}
