//! A case: a random program with its arguments and tuning. It is generated from bytes and a seed, so that it has a
//! name, can be reproduced, and can be shrunk.

use ravel_abi::random::Random;
use ravel_abi::{Array, Data, Dim, Tuning, Value};
use ravel_core::Program;
use ravel_prim::{PrimType, PrimValue, convert};

use crate::generate::{self, ProgramOptions};

/// A program with its arguments.
#[derive(Clone, Debug)]
pub struct Case {
    /// The choices that determine the program.
    pub choices: Vec<u8>,
    /// The seed of the arguments.
    pub seed: u64,
    /// The options of the generator.
    pub options: ProgramOptions,
}

impl Case {
    /// The case with number `index` for this seed.
    pub fn numbered(seed: u64, index: u64, options: ProgramOptions) -> Case {
        let mut numbers = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(index));
        let length = 80 + numbers.below(600) as usize;
        let choices = (0..length).map(|_| numbers.bits() as u8).collect();
        Case { choices, seed: numbers.bits(), options }
    }

    /// The program.
    pub fn program(&self) -> Program {
        generate::program(self.choices.clone(), self.options)
    }

    /// The arguments.
    pub fn args(&self) -> Vec<Value> {
        arguments(&self.program(), "main", self.seed)
    }

    /// The values of the program's tuning parameters.
    pub fn tuning(&self) -> Tuning {
        tuning(&self.program(), "main", self.seed)
    }
}

/// Values for about half of an entry point's tuning parameters.
pub fn tuning(program: &Program, entry: &str, seed: u64) -> Tuning {
    let mut numbers = Random::new(!seed);
    let mut tuning = Tuning::default();
    let Some(signature) = ravel_interp::signature(program, entry.into()) else { return tuning };
    for name in &signature.tuning_params {
        if let (0, PrimValue::I64(value)) = (numbers.below(2), scalar(PrimType::I64, &mut numbers)) {
            tuning.set(name, &value.to_string()).expect("an i64");
        }
    }
    tuning
}

/// Arguments for an entry point of a program. Its first size is at least 1.
pub fn arguments(program: &Program, entry: &str, seed: u64) -> Vec<Value> {
    let mut numbers = Random::new(seed);
    let Some(signature) = ravel_interp::signature(program, entry.into()) else { return Vec::new() };
    let sizes: Vec<usize> = (0..signature.sizes)
        .map(|at| if at == 0 { 1 + numbers.below(6) } else { numbers.below(4) } as usize)
        .collect();
    let value = |param: &ravel_abi::ParamType| {
        let shape: Vec<usize> = param
            .dims
            .iter()
            .map(|dim| match *dim {
                Dim::Size(at) => sizes[at],
                Dim::Const(size) => size as usize,
            })
            .collect();
        if shape.is_empty() {
            return Value::Scalar(scalar(param.elem, &mut numbers));
        }
        let count: usize = shape.iter().product();
        let mut data = Data::zeros(param.elem, count as u128).expect("a small array");
        for at in 0..count {
            assert!(data.set(at, scalar(param.elem, &mut numbers)), "a scalar of its type");
        }
        Value::Array(Array { shape, data })
    };
    signature.params.iter().map(value).collect()
}

/// A number, usually small.
fn scalar(ty: PrimType, numbers: &mut Random) -> PrimValue {
    match numbers.below(4) {
        0 if ty != PrimType::Bool => {
            PrimValue::from_bits(ty, numbers.bits() & (u64::MAX >> (64 - ty.bits())))
        }
        _ => convert(PrimValue::I64(numbers.below(13) as i64 - 4), ty),
    }
}
