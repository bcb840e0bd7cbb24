//! The words of reports: names of operations, and descriptions of messages.

use super::describe::{object_name, source, thread_name};
use super::mailbox::Mailbox;
use super::object::{Named, Object};
use super::program::{Logged, Program};
use super::{Inner, Pending};
use everyway_report::Unreceived;
use everyway_report::frontier::Remark;
use everyway_runtime::{Class, Location, Message, State as _, Status, ThreadId, Verb};

/// How many messages are named where a receive matches none of them.
const NAMED: usize = 5;

/// The word that reports have for an operation.
pub(crate) fn word(verb: Verb) -> &'static str {
    match verb {
        Verb::Load => "load",
        Verb::Store => "store",
        Verb::Swap => "swap",
        Verb::CompareExchange => "compare_exchange",
        Verb::CompareExchangeWeak => "compare_exchange_weak",
        Verb::FetchAdd => "fetch_add",
        Verb::FetchSub => "fetch_sub",
        Verb::FetchAnd => "fetch_and",
        Verb::FetchNand => "fetch_nand",
        Verb::FetchOr => "fetch_or",
        Verb::FetchXor => "fetch_xor",
        Verb::FetchNot => "fetch_not",
        Verb::FetchMax => "fetch_max",
        Verb::FetchMin => "fetch_min",
        Verb::FetchPtrAdd => "fetch_ptr_add",
        Verb::FetchPtrSub => "fetch_ptr_sub",
        Verb::FetchByteAdd => "fetch_byte_add",
        Verb::FetchByteSub => "fetch_byte_sub",
        Verb::Fence => "fence",
        Verb::SpinHint => "spin_loop",
        Verb::AwaitLoad => "spin",
        Verb::Yield => "yield_now",
        Verb::Sleep => "sleep",
        Verb::Assume => "assume",
        Verb::Choose => "choose",
        Verb::Input => "any",
        Verb::InputBool => "any_bool",
        Verb::Lock => "lock",
        Verb::TryLock => "try_lock",
        Verb::Relock => "relock",
        Verb::Unlock => "unlock",
        Verb::ReadLock => "read",
        Verb::TryReadLock => "try_read",
        Verb::WriteLock => "write",
        Verb::TryWriteLock => "try_write",
        Verb::Downgrade => "downgrade",
        Verb::IsPoisoned => "is_poisoned",
        Verb::ClearPoison => "clear_poison",
        Verb::Poison => "poison",
        Verb::Wait | Verb::Arrive | Verb::Pass | Verb::WaitOnce => "wait",
        Verb::TimedWait => "wait_timeout",
        Verb::NotifyOne => "notify_one",
        Verb::NotifyAll => "notify_all",
        Verb::Park => "park",
        Verb::TimedPark => "park_timeout",
        Verb::Unpark => "unpark",
        Verb::CallOnce => "call_once",
        Verb::OnceForce => "call_once_force",
        Verb::OnceWaitForce => "wait_force",
        Verb::OnceIsDone => "is_completed",
        Verb::Get => "get",
        Verb::Set => "set",
        Verb::GetOrInit => "get_or_init",
        Verb::Force => "force",
        Verb::ForceMut => "force_mut",
        Verb::Deref => "deref",
        Verb::Join => "join",
        Verb::IsFinished => "is_finished",
        Verb::End => "end",
        Verb::Send => "send",
        Verb::TrySend => "try_send",
        Verb::Receive => "recv",
        Verb::TryReceive => "try_recv",
        Verb::TimedReceive => "recv_timeout",
        Verb::SelectiveReceive => "receive",
        Verb::AwaitReceiver => "send (wait for the receiver)",
        Verb::ArriveToReceive => "recv (arrive)",
        Verb::FreeSlot => "free slot",
        Verb::ReleaseSender => "release sender",
        Verb::CloneSender => "clone sender",
        Verb::DropSender => "drop sender",
        Verb::DropReceiver => "drop receiver",
        Verb::Wake => "wake",
        Verb::AwaitWake => "await",
        Verb::IsWoken => "yield",
        Verb::Abort => "abort",
        Verb::PollJoin => "poll",
        Verb::DropJoin => "drop JoinHandle",
        Verb::Complete => "complete",
        Verb::Register => "register",
        Verb::TakeWaker => "take",
        Verb::CloneArc => "clone",
        Verb::DropArc => "drop",
        Verb::UnwrapArc => "take if unique",
        Verb::IsUniqueArc | Verb::LockWeak => "is unique",
        Verb::StrongCount => "strong_count",
        Verb::WeakCount => "weak_count",
        Verb::DowngradeArc => "downgrade",
        Verb::UpgradeWeak => "upgrade",
        Verb::CloneWeak => "clone weak",
        Verb::DropWeak => "drop weak",
        // What other languages have.
        _ => "",
    }
}

/// The mailbox of a process at `location`, if there is one, and the process's name.
fn mailbox_of_process(state: &Inner, location: Option<Location>) -> Option<(&Mailbox, &str)> {
    let Named::Object(index) = Named::of(location?) else { return None };
    let mailbox = state.objects.get(index)?.mailbox.as_deref()?;
    Some((mailbox, mailbox.owner()?))
}

/// What a step did to the mailbox of a process, if that is what it did: its object and its value.
pub(super) fn done(state: &Inner, logged: &Logged) -> Option<(String, String)> {
    let (mailbox, owner) = mailbox_of_process(state, logged.label.object)?;
    Some(match logged.ended_by().map(|visit| visit.class) {
        Some(Class::Send(message)) => (format!("{} to {owner}", mailbox.text(message)), String::new()),
        Some(Class::Receive { message, .. }) => {
            (format!("{} from {}", mailbox.text(message), thread_name(state, message.sender)), String::new())
        }
        Some(Class::Miss { .. }) => (String::new(), "nothing: timed out".to_owned()),
        _ => (String::new(), String::new()),
    })
}

/// Why `thread` waits for a message, if that is what it waits for.
pub(super) fn reason(state: &Inner, pending: &Pending) -> Option<String> {
    let (mailbox, _) = mailbox_of_process(state, pending.label.object)?;
    let mut named = Vec::new();
    for message in mailbox.waiting().take(NAMED) {
        named.push(format!("{} from '{}'", mailbox.text(message), thread_name(state, message.sender)));
    }
    Some(match mailbox.waiting().count() {
        0 => "its mailbox is empty".to_owned(),
        all if all > NAMED => format!("none of the {all} messages in its mailbox matches: {}, ...", named.join(", ")),
        _ => format!("nothing in its mailbox matches: {}", named.join(", ")),
    })
}

/// Whether a thread that waits is a process, or a task, that may do so when all others have ended.
pub(super) fn is_idle(state: &Inner, thread: ThreadId, pending: &Pending) -> bool {
    let waits_for_task = pending.label.verb == Verb::AwaitWake;
    let idles = waits_for_task || mailbox_of_process(state, pending.label.object).is_some();
    idles && state.threads[thread.index()].may_idle
}

/// Executions that came to their end with messages in the mailboxes of processes.
#[derive(Debug, Default)]
pub(crate) struct Leftovers {
    executions: u64,
    /// One of the messages.
    example: Option<String>,
}

impl Leftovers {
    /// What there is to say about them.
    pub(crate) fn remark(&self) -> Option<Remark> {
        let what = "some messages were never received".to_owned();
        Some(Remark { what, example: self.example.clone()?, executions: self.executions })
    }
}

impl Program<'_> {
    /// Takes note of messages that are never received, if the current execution has come to its end.
    pub(super) fn find_leftovers(&self, leftovers: &mut Leftovers) {
        let state = self.model().state();
        let is_left = |object: &Object| object.mailbox.as_ref().is_some_and(|m| m.owner().is_some() && !m.is_empty());
        // Most programs have no processes.
        if !state.untold || !state.objects_met().any(|location| is_left(state.object(location))) {
            return;
        }
        drop(state);
        if (0..self.threads()).any(|thread| self.status(ThreadId::new(thread)) == Status::Ready) {
            return;
        }
        leftovers.executions += 1;
        if leftovers.example.is_none() {
            let first = self.unreceived().into_iter().find(|message| message.receiver.starts_with('\''));
            let state = self.model().state();
            leftovers.example = first.map(|Unreceived { sender, receiver, source, .. }| {
                let place = source.map_or(String::new(), |source| format!(", sent at {}:{}", source.file, source.line));
                format!("one from '{}' to {receiver}{place}", thread_name(&state, ThreadId::new(sender)))
            });
        }
    }

    /// The messages that were sent and not received.
    pub(crate) fn unreceived(&self) -> Vec<Unreceived> {
        let state = self.model().state();
        let mut found = Vec::new();
        for location in state.objects_in_order() {
            let Some(mailbox) = &state.object(location).mailbox else { continue };
            for message in mailbox.waiting() {
                found.push(self.describe_unreceived(&state, location, mailbox, message));
            }
        }
        found
    }

    fn describe_unreceived(
        &self,
        state: &Inner,
        location: Location,
        mailbox: &Mailbox,
        message: Message,
    ) -> Unreceived {
        let sent = |logged: &&Logged| {
            logged.label.object == Some(location)
                && logged.ended_by().is_some_and(|visit| visit.class == Class::Send(message))
        };
        Unreceived {
            message: mailbox.text(message).to_owned(),
            sender: message.sender.index(),
            receiver: mailbox.owner().map_or_else(|| object_name(state, location), |owner| format!("'{owner}'")),
            source: self.log().iter().find(sent).map(|logged| source(logged.label.caller)),
        }
    }
}
