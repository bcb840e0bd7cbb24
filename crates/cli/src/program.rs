//! The program that a user means: compiled, linked, and identified.

use crate::arguments::{
    After, AllocationName, Allowed, EnvironmentName, IrArguments, LeaksName, ProgramArguments, Rules, Switch,
    UnsetName, VolatileName,
};
use crate::error::Error;
use crate::output::Outcome;
use crate::trace;
use everyway_explore::MemoryModel;
use everyway_ir::{LoopTreatment, Module, Pass, Preparation, TreatedLoop, Unordered, prepare};
use everyway_llvm::clang::{ClangError, Until};
use everyway_llvm::{LoadError, Options, load};
use everyway_vm::{
    Allocation, Arrivals, CompilerBarrier, Environment, Grain, Leaks, Privacy, Settings, Unset, Volatile,
};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How deep what compiles may call itself: as deep as in a thread that a process starts with.
const STACK: usize = 8 << 20;
/// How often it is looked whether it is time to stop.
const PERIOD: Duration = Duration::from_millis(10);
/// How long clang may take to end when it is ended.
const GRACE: Duration = Duration::from_millis(100);

/// What the passes know where threads are interleaved, and nothing else.
pub(crate) fn interleaved() -> everyway_ir::Environment {
    everyway_ir::Environment { unordered: Unordered::INTERLEAVED, ..everyway_vm::environment() }
}

/// Compiles and links the program, and prepares it for exploration, its loops in this way.
pub(crate) fn compile(
    arguments: &ProgramArguments,
    loops: LoopTreatment,
    environment: everyway_ir::Environment,
) -> Result<Arc<Module>, Error> {
    Ok(Arc::new(compile_watched(arguments, (loops, environment), Until::default(), &mut |_, _| {})?.0))
}

/// What a compilation that may have to stop comes to.
pub(crate) enum Compiled {
    InTime(Arc<Module>),
    Stopped,
}

/// The same, if it is done until then. It runs on a thread of its own, which is left alone if it is not.
pub(crate) fn compile_until(
    arguments: &ProgramArguments,
    loops: LoopTreatment,
    environment: everyway_ir::Environment,
    until: &Until,
) -> Result<Compiled, Error> {
    let (done, result) = mpsc::channel();
    let (for_thread, its_until) = (arguments.clone(), until.clone());
    let compilation = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let compiled = compile_watched(&for_thread, (loops, environment), its_until, &mut |_, _| {});
        // If nobody waits any more, it is too late.
        let _ = done.send(compiled.map(|(module, _)| module));
    });
    let compilation = compilation.map_err(|error| Error::new(format!("a thread cannot be started: {error}")))?;
    let mut period = PERIOD;
    loop {
        match result.recv_timeout(period) {
            Ok(_) if until.is_over() => return Ok(Compiled::Stopped),
            Ok(Ok(module)) => return Ok(Compiled::InTime(Arc::new(module))),
            Ok(Err(LoadError::Clang(ClangError::TooLate))) => return Ok(Compiled::Stopped),
            Ok(Err(error)) => return Err(error.into()),
            Err(RecvTimeoutError::Timeout) if period == GRACE => return Ok(Compiled::Stopped),
            Err(RecvTimeoutError::Timeout) if until.is_over() => period = GRACE,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match compilation.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("what is compiled is sent"),
            },
        }
    }
}

fn compile_watched(
    arguments: &ProgramArguments,
    (loops, environment): (LoopTreatment, everyway_ir::Environment),
    until: Until,
    watch: &mut dyn FnMut(Pass, &Module),
) -> Result<(Module, Vec<TreatedLoop>), LoadError> {
    arguments.provide_headers();
    let cache = (!arguments.no_cache).then(|| Path::new(trace::FOLDER).join("cache"));
    let options = Options { clang: arguments.clang.clone(), arguments: arguments.for_clang(), until, cache };
    let mut module = load(&arguments.files, &options)?;
    let preparation = Preparation { loops, rounds: arguments.unroll, spin_rounds: arguments.spin_rounds };
    let treated = prepare(&mut module, preparation, environment, watch);
    Ok((module, treated))
}

/// `everyway ir`
pub(crate) fn print(arguments: &IrArguments) -> Result<Outcome, Error> {
    let mut programs: Vec<(Pass, String)> = Vec::new();
    let mut watch = |pass: Pass, module: &Module| {
        match arguments.after {
            None => programs.clear(),
            Some(After::One(wanted)) if wanted != pass => return,
            Some(_) => {}
        }
        programs.push((pass, module.to_string()));
    };
    let loops = arguments.program.loops.unwrap_or(LoopTreatment::Await);
    let (module, treated) =
        compile_watched(&arguments.program, (loops, Rules::default().environment()), Until::default(), &mut watch)?;
    if programs.is_empty() {
        return Err(Error::new("this pass is not run").with_tip("see --loops and --unroll"));
    }
    let mut text = String::new();
    for (pass, program) in &programs {
        if arguments.after.is_some() {
            let _ = writeln!(text, "; after {pass}");
        }
        if *pass >= Pass::Purity {
            treated.iter().for_each(|it| text.push_str(&explain(&module, it)));
        }
        text.push_str(program);
    }
    Ok(Outcome::Text(text))
}

/// What became of a loop, and why, as comments.
fn explain(module: &Module, treated: &TreatedLoop) -> String {
    let at = |location: Option<everyway_ir::SourceLocation>| match location {
        Some(place) => format!(" at {}:{}", module.file(place.file), place.line),
        None => String::new(),
    };
    let function = &module.function(treated.function).name;
    let mut text = format!("; the loop of {} in {function}{}", treated.header, at(treated.location));
    if treated.pure_if.is_empty() {
        text.push_str(": no round is known to do nothing\n");
    } else {
        text.push_str(": a round does nothing\n");
        treated.pure_if.iter().for_each(|condition| _ = writeln!(text, ";   if {condition}"));
    }
    for obstacle in &treated.obstacles {
        let _ = writeln!(text, ";   but for {}{}", obstacle.what, at(obstacle.location));
    }
    text
}

/// How the virtual machine is to run the program.
pub(crate) fn settings(program: &ProgramArguments, rules: &Rules) -> Settings {
    let name = program.files.first().map(|file| file.with_extension("").display().to_string());
    let default = Settings::default();
    let samples = if rules.values.is_empty() { default.samples.clone() } else { rules.values.clone() };
    Settings {
        samples,
        told_apart: rules.values.is_empty() || rules.told_apart,
        main_stays: rules.main_stays,
        arguments: name.into_iter().chain(program.arguments.iter().cloned()).collect(),
        leaks: match rules.leaks {
            None => Leaks::Allowed,
            Some(LeaksName::Lost) => Leaks::Lost,
            Some(LeaksName::NeverFreed) => Leaks::NeverFreed,
        },
        races: rules.reports_races(),
        volatile: match rules.volatile {
            VolatileName::Atomic => Volatile::Atomic,
            VolatileName::Plain => Volatile::Plain,
        },
        compiler_barrier: match rules.memory_model {
            None | Some(MemoryModel::Sc | MemoryModel::Rc11) => CompilerBarrier::OrdersNothing,
            Some(MemoryModel::Pso) => CompilerBarrier::Acquires,
            Some(MemoryModel::Tso) => CompilerBarrier::AcquiresAndReleases,
        },
        spurious_wakeups: rules.spurious_wakeups,
        spurious_failures: rules.spurious_failures,
        allocation: match rules.malloc {
            AllocationName::NeverFails => Allocation::NeverFails,
            AllocationName::MayFail => Allocation::MayFail,
        },
        unset: match rules.unset {
            UnsetName::NoValue | UnsetName::Any => Unset::NoValue,
            UnsetName::Zeros => Unset::Zeros,
            UnsetName::Ones => Unset::Ones,
        },
        environment: match rules.environment {
            EnvironmentName::OneAnswer => Environment::OneAnswer,
            EnvironmentName::AnyAnswer => Environment::AnyAnswer,
        },
        privacy: if rules.all_shared { Privacy::None } else { Privacy::Checked },
        grain: if rules.byte_by_byte { Grain::Bytes } else { Grain::Accesses },
        commuting_adds: rules.commuting_adds == Switch::On,
        arrivals: match rules.commuting_adds {
            Switch::On => Arrivals::AnyOrder,
            Switch::Off => Arrivals::Ordered,
        },
        allow_deadlocks: rules.allow.contains(&Allowed::Deadlocks),
        allow_livelocks: rules.allow.contains(&Allowed::Livelocks),
        ..default
    }
}

/// A hash of the program: FNV-1a over its text form, which no version of anything changes.
pub(crate) fn content(module: &Module) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in module.to_string().bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    format!("fnv1a:{hash:016x}")
}
