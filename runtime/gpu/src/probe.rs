//! The probe: whether a device computes correctly.
//!
//! Some drivers are silently wrong: Mesa 22's lavapipe ends all loops of a thread after 65,535 iterations in total,
//! and many fold x == x to true. So every device first runs a small plan, through the same code as all plans.
//!
//! A second plan probes subgroups. Kernels exchange values within a subgroup after loops and branches that its threads
//! leave at different times, and rely on the threads to reconverge there. If a driver does not let them
//! reconverge, the device is used without subgroups.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::plan::{Binding, Body, Entry, Kernel, Launch, Operand, Plan, Slot, Step, Worker};
use ravel_abi::signature::{ResultType, Signature};
use ravel_abi::{Array, Data, Failure, Value};
use ravel_prim::{PrimType, PrimValue};

use crate::Program;
use crate::adapter::Device;

/// The number of iterations of the probe's loop: more than 2^16.
const ROUNDS: u32 = 200_000;

/// The parameters of both shaders. They are numbers that a driver could fold if they were constants.
const PARAMS: &str = "
struct Params {
    launch: u32,
    first_group: u32,
    rounds: u32,
    nan: f32,
    infinity: f32,
    zero: f32,
}
";

/// Counts in a loop of many iterations, compares a NaN, and negates a zero.
const WGSL: &str = "
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

/// The number of threads of the probe of subgroups.
const THREADS: u32 = 64;

/// Each thread exchanges values with partners of its subgroup, as kernels do, each time after a loop whose number of
/// rounds differs between the threads. It knows the value that it must receive. Its answer is 1 if it has received all.
const SUBGROUPS_WGSL: &str = "
@group(0) @binding(1) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> answers: array<u32>;

fn diverge(number: u32) -> u32 {
    var value = number;
    for (var i = 0u; i < number % 7u + params.rounds; i = i + 1u) {
        if ((i ^ number) % 3u == 0u) { value = value * 5u + i; } else { value = value + number; }
    }
    return value;
}

@compute @workgroup_size(64)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_subgroups) num_subgroups: u32,
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
) {
    let number = subgroup_id * subgroup_size + subgroup_invocation_id;
    var faults = 0u;
    for (var stride = 1u; stride < subgroup_size; stride = stride * 2u) {
        let received = subgroupShuffle(diverge(number + stride), subgroup_invocation_id ^ stride);
        if (received != diverge((number ^ stride) + stride)) { faults = faults + 1u; }
    }
    // Kernels do not use subgroups that are not full.
    let unused = subgroup_size * num_subgroups != 64u;
    answers[lane] = select(0u, 1u, unused || faults == 0u);
}
";

/// Runs the probe on a device.
pub(crate) async fn probe(device: Arc<Device>) -> Result<(), String> {
    let info = &device.info;
    let driver = match info.driver.is_empty() {
        true => info.name.clone(),
        false => info.driver.clone(),
    };
    let answers = answers(device, plan(&[PARAMS, WGSL].concat(), 1, 5, ROUNDS))
        .await
        .map_err(|failure| failure.to_string())?;
    judge(&answers).map_err(|what| format!("the driver ({driver}) is faulty: {what}"))
}

/// Whether the threads of a subgroup reconverge after branches and loops.
pub(crate) async fn reconverges(device: Arc<Device>) -> bool {
    let plan = plan(&[PARAMS, SUBGROUPS_WGSL].concat(), THREADS, i64::from(THREADS), 2);
    answers(device, plan).await.is_ok_and(|answers| answers == [1; THREADS as usize])
}

/// Runs a plan of [`plan`] and returns its answers.
async fn answers(device: Arc<Device>, plan: Plan) -> Result<Vec<u32>, Failure> {
    let program = Program::new(device, plan, None, false)?;
    let (results, _) = program.run("probe", &[], Arc::new(AtomicBool::new(false)), None).await?;
    Ok(match results.as_slice() {
        [Value::Array(Array { data: Data::U32(answers), .. })] => answers.to_vec(),
        _ => Vec::new(),
    })
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

/// A plan that launches one workgroup of this kernel, which writes `count` answers.
fn plan(wgsl: &str, workgroup: u32, count: i64, rounds: u32) -> Plan {
    let answers = Slot(0);
    let count = Operand::Const(PrimValue::I64(count));
    let threads = Operand::Const(PrimValue::I64(i64::from(workgroup)));
    let one = Operand::Const(PrimValue::I64(1));
    let float = |x: f32| Operand::Const(PrimValue::F32(x));
    let scalars =
        vec![Operand::Const(PrimValue::U32(rounds)), float(f32::NAN), float(f32::INFINITY), float(0.0)];
    let steps = vec![
        Step::Alloc { slot: answers, elem: PrimType::U32, count, site: None },
        Step::Launch(Launch {
            kernel: 0,
            points: vec![threads],
            chunk: one,
            inner: vec![],
            blocks: vec![answers],
            scalars,
        }),
    ];
    let kernel = Kernel {
        name: "probe".to_owned(),
        place: None,
        wgsl: wgsl.to_owned(),
        with_subgroups: None,
        workgroup,
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
        tuning_params: vec![],
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
