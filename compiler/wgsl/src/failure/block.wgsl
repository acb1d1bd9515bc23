// Failures in kernels in which each workgroup computes a point of the grid. `place` is the number of the thread's current point
// in its inner segment. A thread that fails keeps its message. After the segment, the thread that failed at the least place
// reports its message as the message of the workgroup.

var<private> place: u32;
var<private> failed: bool;
var<private> failed_message: u32;
var<private> arguments: array<u32, ARGUMENTS>;

const NO_FAILURE = 0xffffffffu;

fn fail(message: u32) -> bool {
    failed = true;
    failed_message = message;
    return true;
}

fn argument(at: u32, low: u32, high: u32) {
    arguments[2u * at] = low;
    arguments[2u * at + 1u] = high;
}

fn note_failure() {
    if (failed) { atomicMin(&least_failure, place); }
}

fn report_failure(block: u32, least: u32) {
    if (!failed || place != least) { return; }
    atomicMin(&status[1], block);
    atomicStore(&status[0], params.launch);
    if (atomicLoad(&status[2]) != block + 1u) { return; }
    atomicStore(&status[3], failed_message);
    for (var at = 0u; at < ARGUMENTS; at = at + 1u) {
        atomicStore(&status[4u + at], arguments[at]);
    }
}
