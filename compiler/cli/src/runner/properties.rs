//! Property tests: entry points that should return true for all arguments.
//!
//! Each is called with random arguments, which are the same in every test run with the same seed. A counterexample is
//! shrunk before it is reported.

mod shrink;

use ravel_abi::{Bounds, Dim, Failure, PrimType, Signature, Value, ValueRequest, generate, write_text};
use ravel_driver::Property;
use ravel_engine::Executable;
use ravel_prim::PrimValue;

use super::backend::TestProgram;
use super::{Outcome, Suite, TestResult};

/// The number of calls for each property.
const CALLS: u64 = 100;

/// The maximum number of attempts to shrink a counterexample.
const SHRINKS: u64 = 500;

/// The result of a property for some arguments.
#[derive(PartialEq)]
enum Verdict {
    Holds,
    /// It returned false, or failed with this message.
    Broken(Option<String>),
}

/// A property under test.
struct Tester<'a> {
    executable: &'a Executable,
    name: &'a str,
    signature: &'a Signature,
    property: Property,
    /// The seed of all arguments.
    seed: u64,
}

impl Suite<'_> {
    /// Tests the selected properties.
    pub(super) fn properties(&self, compiled: &mut TestProgram) -> Vec<TestResult> {
        let named = self.spec.properties.iter().map(|property| (self.property_name(property), &property.0));
        let mut all = Vec::new();
        for (name, property) in named.filter(|(name, _)| self.is_selected(name)) {
            all.push(self.run_limited(name, compiled, |executable| {
                let outcome = Tester::new(self, executable, property).and_then(|tester| tester.test());
                outcome.unwrap_or_else(|outcome| outcome)
            }));
        }
        all
    }

    /// The name of a property's test.
    pub(super) fn property_name(&self, (property, line): &(String, usize)) -> String {
        format!("{}:{line} {property} on {}", self.file.display(), self.backend().name())
    }
}

impl<'a> Tester<'a> {
    fn new(suite: &Suite, executable: &'a Executable, name: &'a str) -> Result<Tester<'a>, Outcome> {
        let property = ravel_driver::property(suite.source, name).map_err(Outcome::Failed)?;
        let signature = executable.signature(name);
        let signature = signature.ok_or_else(|| Outcome::Failed(format!("no entry point `{name}`")))?;
        let [result] = &signature.results[..] else { return Err(no_bool(name)) };
        match (result.elem, result.rank) {
            (PrimType::Bool, 0) => Ok(Tester { executable, name, signature, property, seed: suite.seed }),
            _ => Err(no_bool(name)),
        }
    }

    fn test(&self) -> Result<Outcome, Outcome> {
        for call in 1..=CALLS {
            let args = match &self.property.generator {
                Some(generator) => self.generated_arguments(generator, call)?,
                None => self.random_arguments(call).map_err(of_failure)?,
            };
            if let Verdict::Broken(why) = self.verdict(&args)? {
                let (args, why) = self.shrink(args, why)?;
                let why = why.map_or("is false".to_owned(), |why| format!("fails with: {why}"));
                let args = write_text(&args).trim_end().replace('\n', " ");
                return Ok(Outcome::Failed(format!("`{}` {why}\ncounterexample: {args}", self.name)));
            }
        }
        Ok(Outcome::Passed)
    }

    /// The random values with this number.
    fn random_values(
        &self,
        wanted: &[ValueRequest],
        bounds: &Bounds,
        number: u64,
    ) -> Result<Vec<Value>, Failure> {
        const NUMBERS: u64 = 1 << 16;
        generate(wanted, bounds, self.seed.wrapping_mul(NUMBERS).wrapping_add(number))
    }

    /// The arguments that the generator returns for a call, from a size and a seed.
    fn generated_arguments(&self, generator: &str, call: u64) -> Result<Vec<Value>, Outcome> {
        let wanted = [random(PrimType::I64, Vec::new())];
        let seed = self.random_values(&wanted, &Bounds::default(), call).map_err(of_failure)?;
        let args = [vec![Value::Scalar(PrimValue::I64(self.property.size))], seed].concat();
        self.helper(generator, &args)
    }

    /// The results of the generator or the shrinker.
    fn helper(&self, entry: &str, args: &[Value]) -> Result<Vec<Value>, Outcome> {
        let called = self.executable.call(entry, args).map(|(results, _)| results);
        called.map_err(|failure| match failure {
            Failure::Limitation(what) => Outcome::Limited(what),
            failure => Outcome::Failed(format!("`{entry}`, which `{}` names: {failure}", self.name)),
        })
    }

    /// Random arguments for a call, with sizes up to the size of the property. In every second call numbers are small, in
    /// the first such calls zero.
    fn random_arguments(&self, call: u64) -> Result<Vec<Value>, Failure> {
        let wrong = |wrong: String| Failure::Bug(format!("the bounds of random arguments: {wrong}"));
        let mut bounds = Bounds::default();
        bounds.set(PrimType::I64, &format!("0:{}", self.property.size)).map_err(wrong)?;
        let sizes = vec![random(PrimType::I64, Vec::new()); self.signature.sizes];
        let sizes = self.random_values(&sizes, &bounds, CALLS + call)?;
        let mut bounds = Bounds::default();
        if call.is_multiple_of(2) {
            for &elem in PrimType::ALL.iter().filter(|elem| elem.is_integer()) {
                let most = call / 10;
                let least = if elem.is_signed() { format!("-{most}") } else { "0".to_owned() };
                bounds.set(elem, &format!("{least}:{most}")).map_err(wrong)?;
            }
        }
        for &elem in PrimType::ALL.iter().filter(|elem| elem.is_float()) {
            bounds.set(elem, "-10:10").map_err(wrong)?;
        }
        let size = |dim: &Dim| match *dim {
            Dim::Const(size) => size as usize,
            Dim::Size(number) => match sizes.get(number) {
                Some(Value::Scalar(PrimValue::I64(size))) => *size as usize,
                _ => 0,
            },
        };
        let params = &self.signature.params;
        let wanted = params.iter().map(|param| random(param.elem, param.dims.iter().map(size).collect()));
        let args = self.random_values(&wanted.collect::<Vec<_>>(), &bounds, call)?;
        Ok(params.iter().zip(args).map(|(param, arg)| param.with_known_constructors(arg)).collect())
    }

    fn verdict(&self, args: &[Value]) -> Result<Verdict, Outcome> {
        match self.executable.call(self.name, args).map(|(results, _)| results) {
            Ok(results) if results == [Value::Scalar(PrimValue::Bool(true))] => Ok(Verdict::Holds),
            Ok(_) => Ok(Verdict::Broken(None)),
            Err(Failure::Limitation(what)) => Err(Outcome::Limited(what)),
            Err(failure) => Ok(Verdict::Broken(Some(failure.to_string()))),
        }
    }

    /// Shrinks a counterexample; returns the smallest one found, and how it fails.
    fn shrink(
        &self,
        mut args: Vec<Value>,
        mut why: Option<String>,
    ) -> Result<(Vec<Value>, Option<String>), Outcome> {
        let mut tries = 0;
        while tries < SHRINKS {
            let smaller = match &self.property.shrinker {
                Some(shrinker) => {
                    let wanted = [random(PrimType::I32, Vec::new())];
                    let number = self.random_values(&wanted, &Bounds::default(), tries);
                    let input = [args.clone(), number.map_err(of_failure)?].concat();
                    vec![self.helper(shrinker, &input)?]
                }
                // Without a shrinker, only the generator knows which arguments are valid.
                None if self.property.generator.is_some() => break,
                None => shrink::smaller(self.signature, &args),
            };
            let mut better = None;
            for candidate in smaller.into_iter().filter(|candidate| *candidate != args) {
                tries += 1;
                if let Verdict::Broken(why) = self.verdict(&candidate)? {
                    better = Some((candidate, why));
                    break;
                }
            }
            match better {
                Some(better) => (args, why) = better,
                None if self.property.shrinker.is_none() => break,
                None => tries += 1,
            }
        }
        Ok((args, why))
    }
}

fn random(elem: PrimType, shape: Vec<usize>) -> ValueRequest {
    ValueRequest::Random { elem, shape }
}

fn no_bool(name: &str) -> Outcome {
    Outcome::Failed(format!("`{name}` is not a property: a property returns one bool"))
}

fn of_failure(failure: Failure) -> Outcome {
    Outcome::Failed(failure.to_string())
}
