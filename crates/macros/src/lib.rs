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
/// Other attributes, such as `#[should_panic]` and `#[ignore]`, work as with `#[test]`. The memory model can be set:
/// `#[everyway::test(memory_model = "tso")]`; for other settings, write a `#[test]` that calls `everyway::Builder`.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let model = match model(arguments) {
        Ok(model) => model,
        Err(message) => return error(message),
    };
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    if let Some(message) = misuse(&tokens) {
        return error(message);
    }
    let Some(TokenTree::Group(body)) = tokens.pop() else { return error("`everyway::test` is for functions") };
    let check = match model {
        None => format!("::everyway::check(|| {body});"),
        Some(model) => {
            format!("::everyway::Builder::new().memory_model(::everyway::MemoryModel::{model}).check(|| {body});")
        }
    };
    let check: TokenStream = check.parse().unwrap_or_default();
    let mut block = Group::new(Delimiter::Brace, replace_body(check, &body));
    block.set_span(body.span());
    let mut result: TokenStream = "#[::core::prelude::v1::test]".parse().unwrap_or_default();
    result.extend(tokens);
    result.extend([TokenTree::Group(block)]);
    result
}

/// The memory model that the arguments name, as its variant is called.
fn model(arguments: TokenStream) -> Result<Option<&'static str>, &'static str> {
    const TAKES: &str = "`everyway::test` takes no arguments but `memory_model = \"rc11\"` (or \"sc\", \"tso\", \"pso\"); use `everyway::Builder` for other settings";
    let words: Vec<String> = arguments.into_iter().map(|token| token.to_string()).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => Ok(None),
        ["memory_model", "=", "\"sc\""] => Ok(Some("Sc")),
        ["memory_model", "=", "\"tso\""] => Ok(Some("Tso")),
        ["memory_model", "=", "\"pso\""] => Ok(Some("Pso")),
        ["memory_model", "=", "\"rc11\""] => Ok(Some("Rc11")),
        _ => Err(TAKES),
    }
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
