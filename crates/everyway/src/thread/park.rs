//! Parking: a token per thread.

use crate::model::kind::Kind;
use crate::model::names::Name;
use crate::model::{self, CodeSite, Inner, Label, Model, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Ordering, ThreadId, Verb};
use std::panic::Location as Caller;
use std::time::Duration;

impl Inner {
    /// The location of the token that ends a park of `thread`: 1 if it is there.
    fn parker(&mut self, thread: ThreadId) -> Location {
        self.named_object(Name::Parker(thread), Kind::ParkToken, 0)
    }
}

fn perform(model: &Model, thread: ThreadId, verb: Verb, caller: CodeSite, access: impl FnOnce(Access) -> Access) {
    let token = model.state().parker(thread);
    let take = Access::new(token, Effect::Write(0)).ordered(Ordering::Acquire);
    let show = if verb == Verb::TimedPark { Show::Success("unparked", "timed out") } else { Show::Nothing };
    let label = Label { verb, object: Some(token), show, caller };
    model.perform(Operation::new([access(take)]), label);
}

/// Blocks until the calling thread's token is made available by [`unpark`](super::Thread::unpark). It does not
/// wake up spuriously, unless [`Builder::spurious`](crate::Builder::spurious) says so.
#[track_caller]
pub fn park() {
    let caller = Caller::caller();
    model::with(|model| {
        let thread = model.state().running;
        if !model.happens_for_no_reason(caller) {
            perform(model, thread, Verb::Park, caller, |take| take.once(Condition::Equals(1)));
        }
    })
    .unwrap_or_else(std::thread::park);
}

/// [`park`], which may also give up. In a model, whether it does is explored: it gives up if the token is not
/// there when the thread goes on.
#[track_caller]
pub fn park_timeout(duration: Duration) {
    let caller = Caller::caller();
    model::with(|model| {
        let thread = model.state().running;
        perform(model, thread, Verb::TimedPark, caller, |take| take.if_now(Condition::Equals(1)));
    })
    .unwrap_or_else(|| std::thread::park_timeout(duration));
}

/// [`park_timeout`], of so many milliseconds.
#[deprecated(note = "as in std: use `park_timeout`")]
#[track_caller]
pub fn park_timeout_ms(milliseconds: u32) {
    park_timeout(Duration::from_millis(milliseconds.into()));
}

#[track_caller]
pub(super) fn unpark(thread: ThreadId) {
    let caller = Caller::caller();
    model::with(|model| {
        // What earlier ones have released is passed on.
        let give = |take: Access| Access { effect: Effect::Modify(|_, given| given, 1), ..take.unlocking() };
        perform(model, thread, Verb::Unpark, caller, give);
    });
}
