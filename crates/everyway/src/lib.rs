//! everyway.
