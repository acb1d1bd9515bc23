//! Test reports in JUnit's XML format.

use std::fmt::Write;
use std::time::Duration;

use crate::runner::{Outcome, TestResult};
use crate::xml::escaped;

/// The report, with a suite for each file.
pub fn report(suites: &[(String, Vec<TestResult>)]) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (file, tests) in suites.iter().filter(|(_, tests)| !tests.is_empty()) {
        let count = |wanted: fn(&Outcome) -> bool| tests.iter().filter(|test| wanted(&test.outcome)).count();
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{}\">",
            escaped(file),
            tests.len(),
            count(|outcome| matches!(outcome, Outcome::Failed(_))),
            count(|outcome| matches!(outcome, Outcome::Skipped(_) | Outcome::Limited(_))),
            seconds(tests.iter().map(|test| test.time).sum()),
        );
        for test in tests {
            let (name, file) = (escaped(&test.name), escaped(file));
            let _ = write!(
                xml,
                "    <testcase name=\"{name}\" classname=\"{file}\" time=\"{}\"",
                seconds(test.time)
            );
            xml.push_str(&match &test.outcome {
                Outcome::Passed => "/>\n".to_owned(),
                Outcome::Failed(why) => format!("><failure>{}</failure></testcase>\n", escaped(why)),
                Outcome::Skipped(why) | Outcome::Limited(why) => {
                    format!("><skipped message=\"{}\"/></testcase>\n", escaped(why))
                }
            });
        }
        xml.push_str("  </testsuite>\n");
    }
    xml + "</testsuites>\n"
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}
