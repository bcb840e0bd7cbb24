//! A result of everyway as people and other tools read it: text ([`text`]), a page for the browser ([`html`]), JSON
//! ([`json`]), SARIF ([`sarif`]), annotations of GitHub ([`github`]), graphs ([`dot`]), and witnesses of SV-COMP
//! ([`witness`]).
//!
//! Everything here is made from a [`Report`](everyway_report::Report) alone. This crate does not know how a result
//! was found, nor in which language the program was written, and it opens no files.

pub mod dot;
pub mod github;
pub mod html;
pub mod json;
mod picture;
pub mod sarif;
pub mod sha256;
pub mod terminal;
pub mod text;
pub mod witness;
