//! A crate outside the workspace that uses Ravel as a library.
#![forbid(unsafe_code)]

use std::error::Error;

use ravel_engine::{Backend, Engine, Executable, Options, Source, Value};

/// `path` computes a price path: each shock `z` changes the price from `s` to `s (1 + r + v z)`. `pick` returns an
/// element of an array.
const PATH: &str = "\
def step (r: f64) (v: f64) (s: f64) (z: f64): f64 = s * (1 + r + v * z)
entry path [n] (s: f64) (r: f64) (v: f64) (shocks: [n]f64): [n]f64 =
  let (path, _) = loop (path, s) = (replicate n s, s) for i < n do
    let s = step r v s shocks[i] in (path with [i] = s, s)
  in path
entry pick (xs: []f64) (i: i64): f64 = xs[i]
";

/// A model whose code is written in Ravel.
pub struct Model {
    program: Executable,
}

impl Model {
    /// Compiles the model for a backend.
    pub fn new(backend: Backend) -> Result<Model, Box<dyn Error>> {
        let engine = Engine::open(backend, Some(2))?;
        let program = engine.compile(&Source::new("path.dsl", PATH), &Options::default())?;
        Ok(Model { program })
    }

    /// The prices after each shock.
    pub fn path(
        &self,
        start: f64,
        rate: f64,
        volatility: f64,
        shocks: &[f64],
    ) -> Result<Vec<f64>, Box<dyn Error>> {
        let args = [Value::from(start), Value::from(rate), Value::from(volatility), Value::from(shocks)];
        let (results, _) = self.program.call("path", &args)?;
        let prices = results.first().and_then(|path| path.elements()).ok_or("no array came back")?;
        Ok(prices.to_vec())
    }

    /// The number at the index.
    pub fn pick(&self, numbers: &[f64], index: i64) -> Result<f64, Box<dyn Error>> {
        let (results, _) = self.program.call("pick", &[Value::from(numbers), Value::from(index)])?;
        Ok(results.first().and_then(Value::scalar).ok_or("no number came back")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_slices_are_arguments_and_vectors_are_results() {
        for backend in [Backend::Interp, Backend::Cpu] {
            let model = Model::new(backend).expect("the model compiles");
            assert_eq!(model.program.entries(), ["path", "pick"]);
            let path = model.path(100.0, 0.0, 0.5, &[1.0, -1.0, 0.0]).expect("a path");
            assert_eq!(path, [150.0, 75.0, 75.0]);
            assert!(model.path(100.0, 0.0, 0.5, &[]).expect("a path").is_empty());
            assert_eq!(model.pick(&[1.0, 2.0], 1).expect("a number"), 2.0);
        }
    }

    #[test]
    fn failures_are_errors_with_the_message_of_the_command_line() {
        let model = Model::new(Backend::Cpu).expect("the model compiles");
        let failed = model.pick(&[1.0, 2.0], 2).expect_err("out of bounds").to_string();
        let expected = "Index [2] out of bounds for array of shape [2].\n\nBacktrace:\n-> #0  path.dsl:6:40-44";
        assert_eq!(failed, expected);
        let none = model.program.call("none", &[]).expect_err("no such entry point").to_string();
        assert_eq!(none, "there is no entry point `none`");
        let engine = Engine::open(Backend::Cpu, None).expect("the processor is there");
        let wrong = engine.compile(&Source::new("a.dsl", "entry main = 1 + true"), &Options::default());
        let message = wrong.err().expect("it is wrong").to_string();
        assert!(message.starts_with("error[E0201]: ") && message.contains("--> a.dsl:1:"), "{message}");
    }
}
