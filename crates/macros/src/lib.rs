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
/// Other attributes, such as `#[should_panic]` and `#[ignore]`, work as with `#[test]`. Settings of `everyway::Builder` can be
/// given: `#[everyway::test(preemptions = 2, memory_model = "sc")]`. There are `memory_model`, one of `"sc"`, `"tso"`, `"pso"`
/// and `"rc11"`; `preemptions`, `max_executions`, `max_steps`, `max_rounds` and `jobs`, which are numbers; and `spurious`,
/// `leaks`, `keep_going` and `summary`, which are `true` or `false`.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let settings = match settings(arguments) {
        Ok(settings) => settings,
        Err(message) => return error(&message),
    };
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    if let Some(message) = misuse(&tokens) {
        return error(message);
    }
    let Some(TokenTree::Group(body)) = tokens.pop() else { return error("`everyway::test` is for functions") };
    let check = format!("::everyway::Builder::new(){settings}.check(|| {body});");
    let check: TokenStream = check.parse().unwrap_or_default();
    let mut block = Group::new(Delimiter::Brace, replace_body(check, &body));
    block.set_span(body.span());
    let mut result: TokenStream = "#[::core::prelude::v1::test]".parse().unwrap_or_default();
    result.extend(tokens);
    result.extend([TokenTree::Group(block)]);
    result
}

/// What the value of a setting has to be.
#[derive(Clone, Copy)]
enum Wanted {
    Model,
    Number,
    Truth,
}

/// The methods of `Builder` that can be called by arguments.
const SETTINGS: [(&str, Wanted); 10] = [
    ("memory_model", Wanted::Model),
    ("preemptions", Wanted::Number),
    ("max_executions", Wanted::Number),
    ("max_steps", Wanted::Number),
    ("max_rounds", Wanted::Number),
    ("jobs", Wanted::Number),
    ("spurious", Wanted::Truth),
    ("leaks", Wanted::Truth),
    ("keep_going", Wanted::Truth),
    ("summary", Wanted::Truth),
];

/// The arguments as calls of `Builder`'s methods, one after the other.
fn settings(arguments: TokenStream) -> Result<String, String> {
    let words: Vec<String> = arguments.into_iter().map(|token| token.to_string()).collect();
    let mut calls = String::new();
    for argument in words.split(|word| word == ",").filter(|argument| !argument.is_empty()) {
        let [name, equals, value] = argument else { return Err(takes(&argument.join(" "))) };
        let known = SETTINGS.iter().find(|(known, _)| known == name).filter(|_| equals == "=");
        let Some(&(_, wanted)) = known else { return Err(takes(&argument.join(" "))) };
        let value = in_rust(wanted, value).ok_or_else(|| {
            let must_be = match wanted {
                Wanted::Model => "\"sc\", \"tso\", \"pso\" or \"rc11\"",
                Wanted::Number => "a number",
                Wanted::Truth => "true or false",
            };
            format!("`{name}` of `everyway::test` has to be {must_be}, but is `{value}`")
        })?;
        calls += &format!(".{name}({value})");
    }
    Ok(calls)
}

/// The value of an argument as an expression, if it is one that is wanted.
fn in_rust(wanted: Wanted, value: &str) -> Option<&str> {
    match wanted {
        Wanted::Model => match value {
            "\"sc\"" => Some("::everyway::MemoryModel::Sc"),
            "\"tso\"" => Some("::everyway::MemoryModel::Tso"),
            "\"pso\"" => Some("::everyway::MemoryModel::Pso"),
            "\"rc11\"" => Some("::everyway::MemoryModel::Rc11"),
            _ => None,
        },
        Wanted::Number => value.starts_with(|first: char| first.is_ascii_digit()).then_some(value),
        Wanted::Truth => matches!(value, "true" | "false").then_some(value),
    }
}

fn takes(argument: &str) -> String {
    let names: Vec<&str> = SETTINGS.iter().map(|(name, _)| *name).collect();
    format!(
        "`everyway::test` does not know `{argument}`; it takes settings such as `memory_model = \"rc11\"`: {}. Use \
         `everyway::Builder` for others",
        names.join(", ")
    )
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
