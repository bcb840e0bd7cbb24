//! Processes that communicate by messages.
//!
//! A process is a thread with a *mailbox*. Any thread that has its [`Address`] can send it messages, without ever waiting.
//! The process takes them out of its [`Inbox`] when it likes, and in the order it likes: a receive takes the oldest
//! message that it matches, and leaves the others in place.
//!
//! ```
//! use everyway::actor::{self, Address};
//!
//! #[derive(Debug)]
//! enum Request {
//!     Add(u32),
//!     Get(Address<u32>),
//! }
//!
//! everyway::check(|| {
//!     let counter = actor::spawn("counter", |inbox| {
//!         let mut sum = 0;
//!         loop {
//!             match inbox.receive() {
//!                 Request::Add(n) => sum += n,
//!                 Request::Get(whom) => return whom.send(sum),
//!             }
//!         }
//!     });
//!     let (me, inbox) = actor::mailbox("main");
//!     counter.send(Request::Add(2));
//!     counter.send(Request::Get(me));
//!     assert_eq!(inbox.receive(), 2);
//!     counter.join().unwrap();
//! });
//! ```
//!
//! # What is promised
//!
//! Messages from one process to another arrive in the order in which they were sent. Messages of different senders
//! arrive in any order, and all orders that make a difference are explored.
//!
//! As in Erlang, a send always succeeds. A message to a process that has ended, or that ends before it comes to it, is
//! lost; a check mentions such messages. A process that waits for a message that never comes waits for ever: in a
//! check that is a deadlock, whose report says in which receive each process waits and what is in its mailbox, unless the process
//! is one that serves others for as long as they like ([`Process::detach`]).
//!
//! In a model no time passes, and a timeout is a choice: a receive that does not want to wait for ever gives up if there
//! is nothing for it when the process goes on. Both are explored.
//!
//! # Patterns
//!
//! What [`Inbox::receive_if`] is given is tried in a model also on messages that it is not offered in the present
//! execution, but might be in another one. It must give the same answer whenever it is asked about the same message, and
//! must not look at anything that threads share; the latter is a failure of the check.
//!
//! # Models and threads
//!
//! Whether a mailbox is a model's is settled when it is made. One that is made inside of a model belongs to that
//! execution. Outside of models, and without the feature `model`, processes are threads of the operating system, and
//! this module needs nothing but std.

#[cfg(feature = "model")]
mod inside;
mod outside;

use crate::thread;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

/// Which messages a receive matches.
type Pattern<M> = Box<dyn Fn(&M) -> bool + Send>;

/// How long a receive waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    /// As long as it takes.
    Waits,
    /// This long; in a model, until it gives up, which it may do at any time.
    GivesUp(Duration),
}

/// A mailbox: the model's, or one that is shared by threads of the operating system.
enum Mailbox<M> {
    #[cfg(feature = "model")]
    Inside(Arc<inside::Mailbox<M>>),
    Outside(Arc<outside::Mailbox<M>>),
}

impl<M> Mailbox<M> {
    fn share(&self) -> Self {
        match self {
            #[cfg(feature = "model")]
            Mailbox::Inside(mailbox) => Mailbox::Inside(mailbox.clone()),
            Mailbox::Outside(mailbox) => Mailbox::Outside(mailbox.clone()),
        }
    }

    fn name(&self) -> &str {
        match self {
            #[cfg(feature = "model")]
            Mailbox::Inside(mailbox) => mailbox.name(),
            Mailbox::Outside(mailbox) => mailbox.name(),
        }
    }
}

/// Where to send messages of type `M`: the mailbox of a process.
///
/// An address can be sent to others like anything else. Dropping it has no effect on the mailbox.
pub struct Address<M> {
    mailbox: Mailbox<M>,
}

impl<M: fmt::Debug + Send + 'static> Address<M> {
    /// Sends a message. That never waits, and never fails; see the [module](self) for what becomes of messages to
    /// processes that have ended.
    #[track_caller]
    pub fn send(&self, message: M) {
        match &self.mailbox {
            #[cfg(feature = "model")]
            Mailbox::Inside(mailbox) => mailbox.send(message, Location::caller()),
            Mailbox::Outside(mailbox) => mailbox.send(message),
        }
    }
}

impl<M> Address<M> {
    /// The name of the process, or what the mailbox was called.
    pub fn name(&self) -> &str {
        self.mailbox.name()
    }
}

impl<M> Clone for Address<M> {
    fn clone(&self) -> Self {
        Self { mailbox: self.mailbox.share() }
    }
}

/// Two addresses are equal if they are of the same mailbox.
impl<M> PartialEq for Address<M> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.mailbox, &other.mailbox) {
            #[cfg(feature = "model")]
            (Mailbox::Inside(one), Mailbox::Inside(another)) => Arc::ptr_eq(one, another),
            (Mailbox::Outside(one), Mailbox::Outside(another)) => Arc::ptr_eq(one, another),
            #[cfg(feature = "model")]
            _ => false,
        }
    }
}

impl<M> Eq for Address<M> {}

/// The name of the process.
impl<M> fmt::Debug for Address<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The receiving end of a mailbox. There is one for each, and it can be used by one thread at a time.
pub struct Inbox<M> {
    mailbox: Mailbox<M>,
    not_sync: PhantomData<Cell<()>>,
}

impl<M: fmt::Debug + Send + 'static> Inbox<M> {
    /// Takes the oldest message, waiting for one.
    #[track_caller]
    pub fn receive(&self) -> M {
        self.take(None, Patience::Waits, Location::caller()).expect("a receive that waits ends with a message")
    }

    /// Takes the oldest message that meets the condition, waiting for one. The others stay, in their order.
    ///
    /// ```
    /// let (me, inbox) = everyway::actor::mailbox("main");
    /// for n in [1, 2, 3, 4] {
    ///     me.send(n);
    /// }
    /// assert_eq!(inbox.receive_if(|n| n % 2 == 0), 2);
    /// assert_eq!(inbox.receive(), 1);
    /// assert_eq!(inbox.receive(), 3);
    /// ```
    #[track_caller]
    pub fn receive_if(&self, matches: impl Fn(&M) -> bool + Send + 'static) -> M {
        let pattern: Pattern<M> = Box::new(matches);
        self.take(Some(pattern), Patience::Waits, Location::caller()).expect("a receive that waits ends with a message")
    }

    /// Takes the oldest message, waiting for one for some time; `None` if none came. A timeout of zero does not wait.
    #[track_caller]
    pub fn receive_timeout(&self, timeout: Duration) -> Option<M> {
        self.take(None, Patience::GivesUp(timeout), Location::caller())
    }

    /// Takes the oldest message that meets the condition, waiting for one for some time; `None` if none came.
    #[track_caller]
    pub fn receive_if_timeout(&self, matches: impl Fn(&M) -> bool + Send + 'static, timeout: Duration) -> Option<M> {
        self.take(Some(Box::new(matches)), Patience::GivesUp(timeout), Location::caller())
    }

    #[cfg_attr(not(feature = "model"), expect(unused_variables, reason = "no report needs the place"))]
    fn take(&self, pattern: Option<Pattern<M>>, patience: Patience, caller: &'static Location<'static>) -> Option<M> {
        match &self.mailbox {
            #[cfg(feature = "model")]
            Mailbox::Inside(mailbox) => mailbox.receive(pattern, patience, caller),
            #[cfg(feature = "model")]
            Mailbox::Outside(mailbox) if crate::model::with(|_| ()).is_some() => {
                match mailbox.receive(pattern.as_deref(), Patience::GivesUp(Duration::ZERO)) {
                    None if patience == Patience::Waits => inside::would_wait(),
                    taken => taken,
                }
            }
            Mailbox::Outside(mailbox) => mailbox.receive(pattern.as_deref(), patience),
        }
    }
}

impl<M> Inbox<M> {
    /// The address of this mailbox.
    pub fn address(&self) -> Address<M> {
        Address { mailbox: self.mailbox.share() }
    }
}

impl<M> Drop for Inbox<M> {
    fn drop(&mut self) {
        match &self.mailbox {
            #[cfg(feature = "model")]
            Mailbox::Inside(_) => {}
            Mailbox::Outside(mailbox) => mailbox.close(),
        }
    }
}

impl<M> fmt::Debug for Inbox<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Inbox").field(&self.mailbox.name()).finish()
    }
}

/// A mailbox of its own, for a thread that is not a process: the one that runs the test, say. Reports call it by this
/// name.
pub fn mailbox<M>(name: impl Into<String>) -> (Address<M>, Inbox<M>) {
    let name = name.into();
    #[cfg(feature = "model")]
    let mailbox = match crate::model::with(|model| inside::Mailbox::new(model, name.clone())) {
        Some(inside) => Mailbox::Inside(Arc::new(inside)),
        None => Mailbox::Outside(Arc::new(outside::Mailbox::new(name))),
    };
    #[cfg(not(feature = "model"))]
    let mailbox = Mailbox::Outside(Arc::new(outside::Mailbox::new(name)));
    let inbox = Inbox { mailbox, not_sync: PhantomData };
    (inbox.address(), inbox)
}

/// A process: a thread with a mailbox for messages of type `M`, and with a result of type `T`.
///
/// Dropping this neither ends the process nor keeps it from anything.
pub struct Process<M, T = ()> {
    address: Address<M>,
    thread: thread::JoinHandle<T>,
}

impl<M: fmt::Debug + Send + 'static, T> Process<M, T> {
    /// Sends the process a message; see [`Address::send`].
    #[track_caller]
    pub fn send(&self, message: M) {
        self.address.send(message);
    }
}

impl<M, T> Process<M, T> {
    /// Where to send it messages.
    pub fn address(&self) -> &Address<M> {
        &self.address
    }

    /// Waits for the process to end, and returns its result.
    ///
    /// # Errors
    /// If the process panicked; in a model this is a failure of the execution instead, unless
    /// `Builder::panics` says otherwise.
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        self.thread.join()
    }

    /// Lets the process go on by itself: one that serves others for as long as they like. That it waits for messages
    /// when all others have ended is no deadlock. (The execution counts as blocked all the same.)
    pub fn detach(self) -> Address<M> {
        #[cfg(feature = "model")]
        self.thread.let_it_idle();
        self.address
    }
}

impl<M, T> fmt::Debug for Process<M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Process").field(&self.address).finish()
    }
}

/// Spawns a process of this name, which runs `body` with its inbox.
///
/// # Panics
/// If the system cannot make another thread.
#[track_caller]
pub fn spawn<M, T, F>(name: impl Into<String>, body: F) -> Process<M, T>
where
    M: Send + 'static,
    T: Send + 'static,
    F: FnOnce(Inbox<M>) -> T + Send + 'static,
{
    let name = name.into();
    let (address, inbox) = mailbox(name.clone());
    let thread = thread::Builder::new().name(name).spawn(move || body(inbox)).expect("failed to spawn thread");
    Process { address, thread }
}
