//! Programs for the tests of passes.

use everyway_ir::{Environment, LoopTreatment, Module, Preparation, parse, prepare, validate};

/// What is left of a function when its program has been prepared, line by line, without its first and its last one.
pub(crate) fn prepared(text: &str, function: &str, environment: Environment) -> Vec<String> {
    let mut module: Module = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(validate(&module), Ok(()));
    let preparation = Preparation { loops: LoopTreatment::Await, rounds: None, spin_rounds: None };
    prepare(&mut module, preparation, environment, &mut |_, _| {});
    assert_eq!(validate(&module), Ok(()), "{module}");
    let id = module.function_named(function).expect("it is there");
    let printed = module.display_function(id).to_string();
    let inside = printed.lines().skip(1).map(str::trim).filter(|line| *line != "}");
    inside.map(str::to_owned).collect()
}
