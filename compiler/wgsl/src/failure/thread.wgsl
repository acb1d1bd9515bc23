// Failures in kernels in which each thread computes points. `place` is the number of the thread's current point. `fail` records
// that this point failed, and returns whether to write the message.

var<private> place: u32;
var<private> failed: bool;

fn fail(message: u32) -> bool {
    failed = true;
    atomicMin(&status[1], place);
    atomicStore(&status[0], params.launch);
    if (atomicLoad(&status[2]) != place + 1u) { return false; }
    atomicStore(&status[3], message);
    return true;
}

fn argument(at: u32, low: u32, high: u32) {
    atomicStore(&status[4u + 2u * at], low);
    atomicStore(&status[5u + 2u * at], high);
}
