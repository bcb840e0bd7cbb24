//! `#[everyway::test]`: a test whose body is checked.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Makes a function a test that checks its body in every way its threads can interleave.
///
/// ```ignore
/// #[everyway::test]
/// fn increments() {
///     let thread = everyway::thread::spawn(|| 1);
///     assert_eq!(thread.join().unwrap(), 1);
/// }
/// ```
///
/// Other attributes, such as `#[should_panic]` and `#[ignore]`, work as with `#[test]`. For other settings than
/// the default ones, write a `#[test]` that calls `everyway::Builder`.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, function: TokenStream) -> TokenStream {
    if !arguments.is_empty() {
        return error("`everyway::test` takes no arguments; use `everyway::Builder` for settings");
    }
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    if let Some(message) = misuse(&tokens) {
        return error(message);
    }
    let Some(TokenTree::Group(body)) = tokens.pop() else { return error("`everyway::test` is for functions") };
    let check: TokenStream = format!("::everyway::check(|| {body});").parse().unwrap_or_default();
    let mut block = Group::new(Delimiter::Brace, replace_body(check, &body));
    block.set_span(body.span());
    let mut result: TokenStream = "#[::core::prelude::v1::test]".parse().unwrap_or_default();
    result.extend(tokens);
    result.extend([TokenTree::Group(block)]);
    result
}

/// The call of `check` with the body itself in it, so that its spans are kept.
fn replace_body(check: TokenStream, body: &Group) -> TokenStream {
    check
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(call) if call.delimiter() == Delimiter::Parenthesis => {
                let inner = call.stream().into_iter().map(|token| match token {
                    TokenTree::Group(block) if block.delimiter() == Delimiter::Brace => TokenTree::Group(body.clone()),
                    other => other,
                });
                TokenTree::Group(Group::new(Delimiter::Parenthesis, inner.collect()))
            }
            other => other,
        })
        .collect()
}

/// What is wrong with the function, if anything is.
fn misuse(tokens: &[TokenTree]) -> Option<&'static str> {
    let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident.to_string() == word);
    let Some(keyword) = tokens.iter().position(|token| is(token, "fn")) else {
        return Some("`everyway::test` is for functions");
    };
    if tokens[..keyword].iter().any(|token| is(token, "async")) {
        return Some("`everyway::test` does not know async functions");
    }
    match (tokens.get(keyword + 2), tokens.get(keyword + 3), tokens.last()) {
        (Some(TokenTree::Group(parameters)), Some(TokenTree::Group(body)), Some(TokenTree::Group(_)))
            if parameters.delimiter() == Delimiter::Parenthesis
                && parameters.stream().is_empty()
                && body.delimiter() == Delimiter::Brace =>
        {
            None
        }
        _ => Some("a function with `everyway::test` has no parameters, no type parameters and no result"),
    }
}

fn error(message: &str) -> TokenStream {
    format!("::core::compile_error!({message:?});").parse().unwrap_or_default()
}
