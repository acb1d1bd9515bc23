//! The probe: whether a device computes correctly.
//!
//! Some drivers are silently wrong: Mesa 22's lavapipe ends all loops of a thread after 65,535 iterations in total,
//! and many fold x == x to true. So every device first runs a small plan, through the same code as all plans.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::plan::{Binding, Body, Entry, Kernel, Launch, Operand, Plan, Slot, Step, Worker};
use ravel_abi::signature::{ResultType, Signature};
use ravel_abi::{Data, Value};
use ravel_prim::{PrimType, PrimValue};

use crate::Program;
use crate::adapter::Device;

/// The number of iterations of the probe's loop: more than 2^16.
const ROUNDS: u32 = 200_000;

/// The numbers are parameters, so that a driver cannot fold them.
const WGSL: &str = "
struct Params {
    launch: u32,
    first_group: u32,
    rounds: u32,
    nan: f32,
    infinity: f32,
    zero: f32,
}

@group(0) @binding(0) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(1) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> answers: array<u32>;

@compute @workgroup_size(1)
fn main() {
    if (atomicLoad(&status[0]) != 0u) { return; }
    var count = 0u;
    for (var i = 0u; i < params.rounds; i = i + 1u) {
        if ((i ^ params.rounds) != params.launch * 4294967295u) { count = count + 1u; }
    }
    answers[0] = count;
    answers[1] = select(0u, 1u, params.nan == params.nan);
    answers[2] = select(0u, 1u, params.infinity - params.infinity == 0.0);
    answers[3] = bitcast<u32>(-params.zero);
    answers[4] = bitcast<u32>(-params.zero * 3.0);
}
";

/// Runs the probe on a device.
pub(crate) async fn probe(device: Arc<Device>) -> Result<(), String> {
    let info = &device.info;
    let driver = match info.driver.is_empty() {
        true => info.name.clone(),
        false => info.driver.clone(),
    };
    let program = Program::new(device, plan(), None, false).map_err(|failure| failure.to_string())?;
    let stop = Arc::new(AtomicBool::new(false));
    let (results, _) = program.run("probe", &[], stop, None).await.map_err(|failure| failure.to_string())?;
    let answers = match results.as_slice() {
        [Value::Array(array)] => match &array.data {
            Data::U32(answers) => answers.clone(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    judge(&answers).map_err(|what| format!("the driver ({driver}) is faulty: {what}"))
}

fn judge(answers: &[u32]) -> Result<(), String> {
    let negative_zero = (-0.0f32).to_bits();
    match *answers {
        [rounds, ..] if rounds != ROUNDS => {
            Err(format!("a loop of {ROUNDS} rounds ended after {rounds}; use a newer driver"))
        }
        [_, 0, 0, zero, product] if zero == negative_zero && product == negative_zero => Ok(()),
        [_, _, _, _, _] => Err("its arithmetic treats NaN, infinity or -0.0 wrongly".to_owned()),
        _ => Err("it gave no answer".to_owned()),
    }
}

fn plan() -> Plan {
    let answers = Slot(0);
    let count = Operand::Const(PrimValue::I64(5));
    let one = Operand::Const(PrimValue::I64(1));
    let float = |x: f32| Operand::Const(PrimValue::F32(x));
    let scalars =
        vec![Operand::Const(PrimValue::U32(ROUNDS)), float(f32::NAN), float(f32::INFINITY), float(0.0)];
    let steps = vec![
        Step::Alloc { slot: answers, elem: PrimType::U32, count },
        Step::Launch(Launch {
            kernel: 0,
            points: vec![one],
            chunk: one,
            inner: vec![],
            blocks: vec![answers],
            scalars,
        }),
    ];
    let kernel = Kernel {
        name: "probe".to_owned(),
        place: None,
        wgsl: WGSL.to_owned(),
        with_subgroups: None,
        workgroup: 1,
        workgroup_bytes: 0,
        worker: Worker::Thread,
        bindings: vec![Binding { elem: PrimType::U32, written: true }],
        params: vec![PrimType::U32, PrimType::F32, PrimType::F32, PrimType::F32],
        needs_i64: false,
        needs_f64: false,
    };
    let signature = Signature {
        name: "probe".to_owned(),
        sizes: 0,
        params: vec![],
        results: vec![ResultType { elem: PrimType::U32, rank: 1 }],
        parameters: vec![],
    };
    let body = Body { steps, results: vec![count, Operand::Slot(answers)], releases: vec![answers] };
    let entry = Entry { signature, slots: 1, sizes: vec![], params: vec![], body };
    Plan { entries: vec![entry], kernels: vec![kernel], ..Plan::default() }
}

#[cfg(test)]
mod tests {
    use super::judge;

    #[test]
    fn verdicts_name_the_fault() {
        let zero = 0x8000_0000;
        assert_eq!(judge(&[200_000, 0, 0, zero, zero]), Ok(()));
        let verdict = |answers: &[u32]| judge(answers).unwrap_err();
        assert_eq!(
            verdict(&[65_535, 0, 0, zero, zero]),
            "a loop of 200000 rounds ended after 65535; use a newer driver"
        );
        assert!(verdict(&[200_000, 1, 0, zero, zero]).contains("NaN"));
        assert!(verdict(&[200_000, 0, 0, 0, zero]).contains("-0.0"));
        assert_eq!(verdict(&[]), "it gave no answer");
    }
}
