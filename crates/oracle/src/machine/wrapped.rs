//! The state of something that has a machine, and does something else than it with its steps.

/// Makes the state of `$wrapper` that of its field `machine`.
macro_rules! state_of_machine {
    ($wrapper:ty) => {
        impl everyway_explore::Matching for $wrapper {
            fn matches(
                &self,
                mailbox: everyway_explore::Location,
                receive: u32,
                message: everyway_explore::Message,
            ) -> bool {
                self.machine.matches(mailbox, receive, message)
            }
        }

        impl everyway_explore::State for $wrapper {
            fn threads(&self) -> usize {
                self.machine.threads()
            }

            fn status(&self, thread: everyway_explore::ThreadId) -> everyway_explore::Status {
                self.machine.status(thread)
            }

            fn operation(&self, thread: everyway_explore::ThreadId) -> &everyway_explore::Operation {
                self.machine.operation(thread)
            }

            fn choices(&self, thread: everyway_explore::ThreadId) -> u32 {
                self.machine.choices(thread)
            }

            fn value(&self, location: everyway_explore::Location) -> u64 {
                self.machine.value(location)
            }
        }
    };
}

pub(crate) use state_of_machine;
