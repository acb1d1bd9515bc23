//! Properties: entry points that should give true whatever they are given.
//!
//! Each is called on made-up arguments. A counterexample is made smaller as long as it still is one, and
//! then told. The same arguments are made every time.

mod shrink;

use ravel_abi::{Bounds, Dim, Failure, PrimType, Signature, Value, Wanted, generate, write_text};
use ravel_driver::Property;
use ravel_engine::Executable;
use ravel_prim::PrimValue;

use super::station::Compiled;
use super::{Bench, Outcome, Tested};

/// How often each is called.
const CALLS: u64 = 100;

/// How often at most one tries to make a counterexample smaller.
const SHRINKS: u64 = 500;

/// What a property says of its arguments.
#[derive(PartialEq)]
enum Verdict {
    Holds,
    /// It does not hold, or fails with this message.
    Broken(Option<String>),
}

/// A property that is tested.
struct Tester<'a> {
    executable: &'a Executable,
    name: &'a str,
    signature: &'a Signature,
    property: Property,
}

impl Bench<'_> {
    /// Tests the properties that are wanted.
    pub(super) fn properties(&self, compiled: &mut Compiled) -> Vec<Tested> {
        let named = self.spec.properties.iter().map(|property| (self.property_name(property), &property.0));
        let mut all = Vec::new();
        for (name, property) in named.filter(|(name, _)| self.is_named(name)) {
            all.push(self.limited(name, compiled, |executable| {
                let outcome = Tester::new(self, executable, property).and_then(|tester| tester.test());
                outcome.unwrap_or_else(|outcome| outcome)
            }));
        }
        all
    }

    /// What the test of a property is called.
    pub(super) fn property_name(&self, (property, line): &(String, usize)) -> String {
        format!("{}:{line} {property} on {}", self.file.display(), self.backend().name())
    }
}

impl<'a> Tester<'a> {
    fn new(bench: &Bench, executable: &'a Executable, name: &'a str) -> Result<Tester<'a>, Outcome> {
        let property = ravel_driver::property(bench.source, name).map_err(Outcome::Failed)?;
        let signature = executable.signature(name);
        let signature = signature.ok_or_else(|| Outcome::Failed(format!("no entry point `{name}`")))?;
        let [result] = &signature.results[..] else { return Err(no_bool(name)) };
        match (result.elem, result.rank) {
            (PrimType::Bool, 0) => Ok(Tester { executable, name, signature, property }),
            _ => Err(no_bool(name)),
        }
    }

    fn test(&self) -> Result<Outcome, Outcome> {
        for call in 1..=CALLS {
            let args = match &self.property.generator {
                Some(generator) => self.generated(generator, call)?,
                None => self.made_up(call).map_err(of_failure)?,
            };
            if let Verdict::Broken(why) = self.verdict(&args)? {
                let (args, why) = self.shrunk(args, why)?;
                let why = why.map_or("is false".to_owned(), |why| format!("fails with: {why}"));
                let args = write_text(&args).trim_end().replace('\n', " ");
                return Ok(Outcome::Failed(format!("`{}` {why}\ncounterexample: {args}", self.name)));
            }
        }
        Ok(Outcome::Passed)
    }

    /// What the generator makes for a call: of a size and a seed.
    fn generated(&self, generator: &str, call: u64) -> Result<Vec<Value>, Outcome> {
        let seed =
            generate(&[random(PrimType::I64, Vec::new())], &Bounds::default(), call).map_err(of_failure)?;
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

    /// Arguments for a call: sizes up to that of the property. Numbers are small in every second call,
    /// beginning with zeros.
    fn made_up(&self, call: u64) -> Result<Vec<Value>, Failure> {
        let wrong = |wrong: String| Failure::Bug(format!("the bounds of made-up arguments: {wrong}"));
        let mut bounds = Bounds::default();
        bounds.set(PrimType::I64, &format!("0:{}", self.property.size)).map_err(wrong)?;
        let sizes = vec![random(PrimType::I64, Vec::new()); self.signature.sizes];
        let sizes = generate(&sizes, &bounds, CALLS + call)?;
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
        let args = generate(&wanted.collect::<Vec<_>>(), &bounds, call)?;
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

    /// A counterexample that is as small as can be found, and how it fails.
    fn shrunk(
        &self,
        mut args: Vec<Value>,
        mut why: Option<String>,
    ) -> Result<(Vec<Value>, Option<String>), Outcome> {
        let mut tries = 0;
        while tries < SHRINKS {
            let smaller = match &self.property.shrinker {
                Some(shrinker) => {
                    let number = generate(&[random(PrimType::I32, Vec::new())], &Bounds::default(), tries);
                    let given = [args.clone(), number.map_err(of_failure)?].concat();
                    vec![self.helper(shrinker, &given)?]
                }
                // What the generator would never make is no argument.
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

fn random(elem: PrimType, shape: Vec<usize>) -> Wanted {
    Wanted::Random { elem, shape }
}

fn no_bool(name: &str) -> Outcome {
    Outcome::Failed(format!("`{name}` is no property: a property gives one bool"))
}

fn of_failure(failure: Failure) -> Outcome {
    Outcome::Failed(failure.to_string())
}
