//! What the fuzzer calls: one function for each target, which takes any bytes.
//!
//! A target reads its bytes as a user's text or file would be read. What is refused must be refused without a panic; what is
//! accepted must be written and read back as the same thing. A target that does not return, panics or fails an assertion is a finding.

pub mod bodies;
pub mod chess;
pub mod files;
pub mod lab;
pub mod minesweeper;

/// The input as text; bytes that are no text are replaced.
fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}
