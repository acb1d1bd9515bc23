//! Waiting for the device.
//!
//! Outside of browsers, wgpu's `Device::poll` drives the device. Each call of it waits for at most [`POLL_INTERVAL`], so that
//! a stop request is seen. In a browser it does nothing: the event loop drives the device and wakes the future.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ravel_abi::Failure;
use wgpu::{Buffer, MapMode, PollError, PollType, SubmissionIndex};

use crate::adapter::Device;

/// The longest time between two looks for a stop request.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Fails if the call was asked to stop.
pub(crate) fn fail_if_stopped(stop: &AtomicBool) -> Result<(), Failure> {
    match stop.load(Ordering::Relaxed) {
        true => Err(Failure::System("stopped".to_owned())),
        false => Ok(()),
    }
}

/// Reads the bytes of a buffer after the submission has written it.
pub(crate) async fn read(
    device: &Device,
    buffer: &Buffer,
    bytes: u64,
    submission: SubmissionIndex,
    stop: &AtomicBool,
) -> Result<Vec<u8>, Failure> {
    let state = Arc::new(Mutex::new(MapState::default()));
    let shared = state.clone();
    buffer.map_async(MapMode::Read, 0..bytes, move |result| {
        let mut state = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        state.result = Some(result.map_err(|error| error.to_string()));
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    });
    loop {
        let wait =
            PollType::Wait { submission_index: Some(submission.clone()), timeout: Some(POLL_INTERVAL) };
        match device.device.poll(wait) {
            Ok(_) => break,
            Err(PollError::Timeout) => fail_if_stopped(stop)?,
            Err(error) => return Err(Failure::System(format!("the GPU failed: {error}"))),
        }
    }
    let mapping = MapFuture(state).await;
    device.faults.check()?;
    let failed = |error: String| Failure::System(format!("the GPU failed: {error}"));
    mapping.map_err(failed)?;
    let view = buffer.get_mapped_range(0..bytes).map_err(|error| failed(error.to_string()))?;
    let copy = view.to_vec();
    drop(view);
    buffer.unmap();
    Ok(copy)
}

/// What the callback of a mapping leaves for the future that waits for it.
#[derive(Default)]
struct MapState {
    result: Option<Result<(), String>>,
    waker: Option<Waker>,
}

/// Ready when the mapping of a buffer has succeeded or failed.
struct MapFuture(Arc<Mutex<MapState>>);

impl Future for MapFuture {
    type Output = Result<(), String>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match state.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
