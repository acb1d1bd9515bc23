//! The headers of passes and of their rules, and whether they have the form that a reader expects.
//!
//! A pass is a file; if it has many rules, they are described in files of the folder beside it. Each of these files
//! begins with a header: the title, and the [`SECTIONS`].

use std::path::{Path, PathBuf};

use ravel_passes::Premise;

use super::{AnyPass, cases, passes, run};
use crate::snapshots;

/// The sections of a header, in order.
const SECTIONS: [&str; 8] =
    ["Rule", "Requires", "Ensures", "Leaves alone", "Costs", "Source", "Before", "After"];

/// The header of a pass, or of one of its files of rules.
pub struct Header {
    /// The source file.
    pub file: PathBuf,
    text: String,
}

/// A rule or a premise, as an item of a list in a header.
pub struct Item {
    /// The name.
    pub name: String,
    /// The rules that have this premise; empty if all rules of the header have it.
    pub of: Vec<String>,
    /// The text after the name.
    pub text: String,
}

impl Header {
    /// The title without the sign of a heading.
    fn title(&self) -> &str {
        self.text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a title")
    }

    /// The names of the sections.
    fn sections(&self) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix("## ")).collect()
    }

    /// The text of a section.
    pub fn section(&self, name: &str) -> &str {
        let (_, rest) = self
            .text
            .split_once(&format!("\n## {name}\n"))
            .unwrap_or_else(|| panic!("{} has no section `{name}`", self.file.display()));
        rest.split_once("\n## ").map_or(rest, |(section, _)| section)
    }

    /// The code block of a section; an empty text if it has none.
    pub fn code(&self, section: &str) -> &str {
        let block =
            self.section(section).split_once("```text\n").and_then(|(_, rest)| rest.split_once("```"));
        block.map_or("", |(code, _)| code)
    }

    /// The rules that this header describes.
    pub fn rules(&self) -> Vec<Item> {
        items(self.section("Rule"))
    }

    /// The premises of these rules.
    pub fn premises(&self) -> Vec<Item> {
        items(self.section("Requires"))
    }
}

/// The items `* *name*, of a, b and c: text` of a section.
fn items(section: &str) -> Vec<Item> {
    let paragraphs = section.split("\n\n").flat_map(|paragraph| paragraph.split("\n* "));
    let named = paragraphs.filter_map(|item| {
        let item = item.trim_start_matches('\n').trim_start_matches("* ").strip_prefix('*')?;
        let (name, rest) = item.split_once('*')?;
        let (of, text) = rest.split_once(": ").expect("a name is followed by a text");
        let of = of.strip_prefix(", of ").unwrap_or_default().replace(" and ", ", ");
        let of = of.split(", ").filter(|rule| !rule.is_empty()).map(str::to_owned).collect();
        Some(Item { name: name.to_owned(), of, text: one_line(text) })
    });
    named.collect()
}

/// The text with single blanks between its words.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The header of a pass, then those of its files of rules.
pub fn of_pass(pass: &str) -> Vec<Header> {
    let file = snapshots::pass_file(pass);
    let entries = std::fs::read_dir(file.with_extension("")).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    let headers = [file].into_iter().chain(files).map(|file| Header { text: snapshots::header(&file), file });
    headers.filter(|header| header.text.starts_with("# ")).collect()
}

/// The headers that describe rules: those of the files of rules if the pass has such files, else that of the pass.
fn of_rules(pass: &str) -> Vec<Header> {
    let mut headers = of_pass(pass);
    if headers.len() > 1 {
        headers.remove(0);
    }
    headers
}

/// The rules of a pass in its order, with the text of its header.
pub fn rules(pass: &str, names: &[&str]) -> Vec<Item> {
    let mut rules: Vec<Item> = of_rules(pass).iter().flat_map(Header::rules).collect();
    rules.sort_by_key(|rule| names.iter().position(|name| *name == rule.name));
    rules
}

/// The rules of a pass that have this premise.
pub fn rules_of(pass: &str, premise: &str) -> Vec<String> {
    let headers = of_rules(pass);
    let listed = headers.iter().flat_map(|header| {
        let premises = header.premises().into_iter().filter(|item| item.name == premise);
        premises.flat_map(|item| match item.of.is_empty() {
            true => header.rules().into_iter().map(|rule| rule.name).collect(),
            false => item.of,
        })
    });
    listed.collect()
}

fn name(file: &Path) -> String {
    file.file_name().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn every_header_has_all_sections_in_order() {
    for AnyPass { name: pass, .. } in passes() {
        for header in of_pass(pass) {
            let file = name(&header.file);
            assert_eq!(header.sections(), SECTIONS, "the sections of {file}");
            for section in SECTIONS {
                assert!(!header.section(section).trim().is_empty(), "{file}: `{section}` is empty");
            }
        }
    }
}

#[test]
fn every_rule_is_in_a_title_and_described_once() {
    for AnyPass { name: pass, rules, .. } in passes() {
        let headers = of_pass(pass);
        assert!(headers[0].title().starts_with(&format!("{pass}: ")), "the title of {pass}");
        for rule in rules {
            assert!(headers[0].section("Rule").contains(rule), "the header of {pass} lacks {rule}");
        }
        for header in &headers[1..] {
            let (title, _) = header.title().split_once(": ").expect("a title of rules and a description");
            let described: Vec<String> = header.rules().into_iter().map(|rule| rule.name).collect();
            assert_eq!(title, described.join(", "), "the title of {}", name(&header.file));
        }
        let headers = of_rules(pass);
        let mut described: Vec<String> =
            headers.iter().flat_map(Header::rules).map(|rule| rule.name).collect();
        let mut rules = rules.to_vec();
        described.sort();
        rules.sort_unstable();
        assert_eq!(described, rules, "the rules that the headers of {pass} describe");
        for header in &headers {
            assert!(!header.code("Rule").is_empty(), "{} has no notation", name(&header.file));
        }
    }
}

/// The text of a premise is that of its constant; a reason may follow.
#[test]
fn the_headers_list_the_premises_with_their_texts() {
    for AnyPass { name: pass, premises, .. } in passes() {
        let mut listed = Vec::new();
        for header in of_rules(pass) {
            let rules: Vec<String> = header.rules().into_iter().map(|rule| rule.name).collect();
            for Item { name, of, text } in header.premises() {
                let about = premises.iter().find(|premise| premise.name == name).map(|premise| premise.about);
                let about = about.unwrap_or_else(|| panic!("{pass} has no premise {name}"));
                assert!(text.starts_with(&format!("{about}.")), "{pass}: {name} is `{about}`, not `{text}`");
                assert!(of.iter().all(|rule| rules.contains(rule)), "{pass}: {name} is of {of:?}");
                listed.push(name);
            }
        }
        let mut names: Vec<&str> = premises.iter().map(|premise| premise.name).collect();
        listed.sort();
        names.sort_unstable();
        assert_eq!(listed, names, "the premises that the headers of {pass} list");
    }
}

#[test]
fn a_rule_is_refused_only_for_its_premises() {
    ravel_driver::on_large_stack(|| {
        for AnyPass { name: pass, .. } in passes() {
            let of_pass = |case: &PathBuf| case.parent().is_some_and(|folder| folder.ends_with(pass));
            for case in cases().into_iter().filter(of_pass) {
                for event in run(&case).events {
                    let Some(Premise { name: premise, .. }) = event.refused.map(|refusal| refusal.premise)
                    else {
                        continue;
                    };
                    let rules = rules_of(pass, premise);
                    let is_listed = rules.iter().any(|rule| rule == event.rule);
                    assert!(
                        is_listed,
                        "{pass}: {premise} is of {rules:?}, but refuses {} in {}",
                        event.rule,
                        case.display()
                    );
                }
            }
        }
    });
}
