//! Test blocks: what a program's comments say it should do.
//!
//! A block is a run of comment lines that begins with `-- ==`. Its text, without the comment
//! marks, is a sequence of clauses:
//!
//! ```text
//! entry: NAME …             the entry points of the clauses that follow (default: main)
//! tags { … }  nobench  no_gpu   accepted and ignored
//! input { VALUES }          a case: call the entry point with these values
//! input @ FILE              … with those of a file, relative to the program
//! output { VALUES }         what the case before must give
//! output @ FILE
//! error: REGEX              what the case before must fail with; before any case: the whole program
//! ```

/// What is tested of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// Compilation must fail with a message that matches.
    pub compile_error: Option<String>,
    /// The cases, in order.
    pub cases: Vec<Case>,
}

/// One call of an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The entry point.
    pub entry: String,
    /// What it is given.
    pub input: Values,
    /// What it must do.
    pub expected: Expected,
    /// The line of the `input` clause, from 1.
    pub line: usize,
}

/// Where values come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Written in the block.
    Text(String),
    /// In a file beside the program.
    File(String),
}

/// What a case must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Succeed, with whatever result.
    Anything,
    /// Give these values.
    Output(Values),
    /// Fail with a message that matches.
    Error(String),
}

/// Something in a block that is no clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// The tests that a program's text states; `None` when it has no test block.
///
/// # Errors
/// [`SpecError`] for a clause that is not understood.
pub fn parse(text: &str) -> Result<Option<Spec>, SpecError> {
    let mut spec = None;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((_, line)) = lines.next() {
        if line.trim_end() != "-- ==" {
            continue;
        }
        let mut block = Block::default();
        while let Some((number, line)) = lines.peek() {
            let Some(rest) = line.strip_prefix("--") else { break };
            block.lines.push((number + 1, rest.to_owned()));
            lines.next();
        }
        block.clauses(spec.get_or_insert_with(Spec::default))?;
    }
    Ok(spec)
}

/// The lines of one block, read clause by clause.
#[derive(Default)]
struct Block {
    lines: Vec<(usize, String)>,
    row: usize,
    column: usize,
}

impl Block {
    fn clauses(&mut self, spec: &mut Spec) -> Result<(), SpecError> {
        let mut entries = vec!["main".to_owned()];
        let mut open: Vec<usize> = Vec::new();
        while let Some(word) = self.word() {
            let line = self.line();
            match word.as_str() {
                "entry:" => {
                    entries = self.rest_of_line().split_whitespace().map(str::to_owned).collect();
                    open.clear();
                }
                "nobench" | "no_gpu" | "compiled" | "notest" => {}
                "tags" => drop(self.braces("tags")?),
                "input" => {
                    let input = self.values("input")?;
                    open = entries
                        .iter()
                        .map(|entry| {
                            spec.cases.push(Case {
                                entry: entry.clone(),
                                input: input.clone(),
                                expected: Expected::Anything,
                                line,
                            });
                            spec.cases.len() - 1
                        })
                        .collect();
                }
                "output" => {
                    let output = self.values("output")?;
                    self.expect(spec, &open, "output", &Expected::Output(output))?;
                }
                "error:" => {
                    let regex = self.rest_of_line().trim().to_owned();
                    if open.is_empty() {
                        spec.compile_error = Some(regex);
                    } else {
                        self.expect(spec, &open, "error:", &Expected::Error(regex))?;
                    }
                }
                other => {
                    return Err(SpecError {
                        line,
                        message: format!(
                            "`{other}` begins no clause of a test block; known are \
                             entry: tags nobench input output error:"
                        ),
                    });
                }
            }
        }
        Ok(())
    }

    /// Says what the open cases must do.
    fn expect(
        &self,
        spec: &mut Spec,
        open: &[usize],
        clause: &str,
        expected: &Expected,
    ) -> Result<(), SpecError> {
        if open.is_empty() {
            return Err(self.error(format!("`{clause}` without an `input` before it")));
        }
        for &case in open {
            spec.cases[case].expected = expected.clone();
        }
        Ok(())
    }

    fn values(&mut self, clause: &str) -> Result<Values, SpecError> {
        match self.skip_blanks() {
            Some('{') => self.braces(clause).map(Values::Text),
            Some('@') => {
                self.column += 1;
                self.word().map(Values::File).ok_or_else(|| self.error("`@` without a file name".to_owned()))
            }
            _ => Err(self.error(format!("`{clause}` is followed by `{{ VALUES }}` or `@ FILE`"))),
        }
    }

    /// The text between `{` and `}`, which may span lines.
    fn braces(&mut self, clause: &str) -> Result<String, SpecError> {
        let begin = self.error(format!("`{clause} {{` without a closing `}}`"));
        if self.skip_blanks() != Some('{') {
            return Err(self.error(format!("`{clause}` is followed by `{{`")));
        }
        self.column += 1;
        let mut text = String::new();
        loop {
            let Some((_, line)) = self.lines.get(self.row) else { return Err(begin) };
            let rest = &line[self.column..];
            if let Some(end) = rest.find('}') {
                text.push_str(&rest[..end]);
                self.column += end + 1;
                return Ok(text);
            }
            text.push_str(rest);
            text.push('\n');
            self.row += 1;
            self.column = 0;
        }
    }

    /// The next character that is no blank, over line ends.
    fn skip_blanks(&mut self) -> Option<char> {
        loop {
            let (_, line) = self.lines.get(self.row)?;
            let rest = &line[self.column..];
            let trimmed = rest.trim_start();
            if let Some(next) = trimmed.chars().next() {
                self.column += rest.len() - trimmed.len();
                return Some(next);
            }
            self.row += 1;
            self.column = 0;
        }
    }

    fn word(&mut self) -> Option<String> {
        self.skip_blanks()?;
        let rest = &self.lines[self.row].1[self.column..];
        let end = rest.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(rest.len()).max(1);
        let word = rest[..end].to_owned();
        self.column += end;
        Some(word)
    }

    fn rest_of_line(&mut self) -> String {
        let rest = self.lines[self.row].1[self.column..].to_owned();
        self.row += 1;
        self.column = 0;
        rest
    }

    fn line(&self) -> usize {
        self.lines.get(self.row).or(self.lines.last()).map_or(1, |(number, _)| *number)
    }

    fn error(&self, message: String) -> SpecError {
        SpecError { line: self.line(), message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(text: &str) -> Vec<Case> {
        parse(text).expect("a spec").expect("a block").cases
    }

    #[test]
    fn a_program_without_a_block_has_no_tests() {
        assert_eq!(parse("-- a comment\ndef x = 1\n"), Ok(None));
    }

    #[test]
    fn values_may_span_lines_and_stand_in_files() {
        let cases = cases("-- about\n-- ==\n-- input { 1\n--   [2, 3] }\n-- output @ a.out\ndef x = 1\n");
        assert_eq!(cases.len(), 1);
        assert_eq!(cases[0].line, 3);
        assert_eq!(cases[0].entry, "main");
        assert_eq!(cases[0].input, Values::Text(" 1\n   [2, 3] ".to_owned()));
        assert_eq!(cases[0].expected, Expected::Output(Values::File("a.out".to_owned())));
    }

    #[test]
    fn every_entry_gets_the_case() {
        let cases = cases("-- ==\n-- entry: f g\n-- input { }\n-- error: out of.*\n");
        assert_eq!(cases.iter().map(|case| case.entry.as_str()).collect::<Vec<_>>(), ["f", "g"]);
        assert!(cases.iter().all(|case| case.expected == Expected::Error("out of.*".to_owned())));
    }

    #[test]
    fn an_error_without_input_is_the_compilers() {
        let spec = parse("-- ==\n-- error: Unknown\n").unwrap().unwrap();
        assert_eq!(spec.compile_error.as_deref(), Some("Unknown"));
    }

    #[test]
    fn wrong_clauses_are_located() {
        let wrong = |text| parse(text).unwrap_err();
        assert_eq!(wrong("-- ==\n-- inptu { 1 }\n").line, 2);
        assert!(wrong("-- ==\n-- output { 1 }\n").message.contains("without an `input`"));
        assert!(wrong("-- ==\n-- input { 1\n").message.contains("closing"));
        assert!(wrong("-- ==\n-- input\n").message.contains("followed by"));
        assert!(wrong("-- ==\n-- input @\n").message.contains("file name"));
    }
}
