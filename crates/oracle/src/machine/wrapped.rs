//! The state of something that has a machine, and does something else than it with its steps.

/// Makes the state of `$wrapper` that of its field `machine`.
macro_rules! state_of_machine {
    ($wrapper:ty) => {
        impl everyway_runtime::Matching for $wrapper {
            fn matches(
                &self,
                mailbox: everyway_runtime::Location,
                receive: u32,
                message: everyway_runtime::Message,
            ) -> bool {
                self.machine.matches(mailbox, receive, message)
            }

            fn matches_everything(&self, mailbox: everyway_runtime::Location) -> bool {
                self.machine.matches_everything(mailbox)
            }
        }

        impl everyway_runtime::State for $wrapper {
            fn threads(&self) -> usize {
                self.machine.threads()
            }

            fn status(&self, thread: everyway_runtime::ThreadId) -> everyway_runtime::Status {
                self.machine.status(thread)
            }

            fn operation(&self, thread: everyway_runtime::ThreadId) -> &everyway_runtime::Operation {
                self.machine.operation(thread)
            }

            fn choices(&self, thread: everyway_runtime::ThreadId) -> u32 {
                self.machine.choices(thread)
            }

            fn value(&self, location: everyway_runtime::Location) -> u64 {
                self.machine.value(location)
            }

            fn initial_value(&self, location: everyway_runtime::Location) -> u64 {
                self.machine.initial_value(location)
            }
        }
    };
}

pub(crate) use state_of_machine;
