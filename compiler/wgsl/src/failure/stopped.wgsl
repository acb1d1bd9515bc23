// Whether an earlier launch has failed.

fn stopped() -> bool {
    let failed_launch = atomicLoad(&status[0]);
    return failed_launch != 0u && failed_launch != params.launch;
}
