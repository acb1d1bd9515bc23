//! Waiting for the device.
//!
//! Natively a call of `poll` drives the device, and returns at intervals so that a stop request is seen. In a browser
//! `poll` does nothing and the event loop wakes the future.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ravel_abi::Failure;
use wgpu::{Buffer, MapMode, PollError, PollType, SubmissionIndex};

use crate::adapter::Device;

/// The time between checks.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Fails if the call was asked to stop.
pub(crate) fn stopped(stop: &AtomicBool) -> Result<(), Failure> {
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
    let mapped = Arc::new(Mutex::new(Mapped::default()));
    let signal = mapped.clone();
    buffer.map_async(MapMode::Read, 0..bytes, move |result| {
        let mut mapped = signal.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        mapped.result = Some(result.map_err(|error| error.to_string()));
        if let Some(waker) = mapped.waker.take() {
            waker.wake();
        }
    });
    loop {
        let wait =
            PollType::Wait { submission_index: Some(submission.clone()), timeout: Some(POLL_INTERVAL) };
        match device.device.poll(wait) {
            Ok(_) => break,
            Err(PollError::Timeout) => stopped(stop)?,
            Err(error) => return Err(Failure::System(format!("the GPU failed: {error}"))),
        }
    }
    let mapping = Mapping(mapped).await;
    device.faults.check()?;
    let failed = |error: String| Failure::System(format!("the GPU failed: {error}"));
    mapping.map_err(failed)?;
    let view = buffer.get_mapped_range(0..bytes).map_err(|error| failed(error.to_string()))?;
    let copy = view.to_vec();
    drop(view);
    buffer.unmap();
    Ok(copy)
}

#[derive(Default)]
struct Mapped {
    result: Option<Result<(), String>>,
    waker: Option<Waker>,
}

/// Ready when the buffer is mapped.
struct Mapping(Arc<Mutex<Mapped>>);

impl Future for Mapping {
    type Output = Result<(), String>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut mapped = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match mapped.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                mapped.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
