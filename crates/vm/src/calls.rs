//! Calls and returns, the ends of threads, and functions that the machine models.

use crate::access::{LARGE, Request, part_access};
use crate::arithmetic::Lanes;
use crate::cell::Cell;
use crate::code::{Body, Call, Callee, Function, Instruction, Span};
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::interpret::{Flow, Run, undecided};
use crate::library::{Handler, Invocation, Reply};
use crate::machine::{MAIN, Machine};
use crate::memory::{Life, Origin, Owner, Part, address_of};
use crate::thread::{Back, Frame, Phase};
use crate::undo::Undo;
use everyway_ir::FunctionId;
use everyway_report::BugKind;
use everyway_runtime::{Access, Carried, Choices, Effect, Ordering, ThreadId, Verb, carry_out};
use smallvec::SmallVec;

/// What is passed to a function, lane by lane. It is filled where it is kept, not collected: a copy of what was just written in
/// small pieces makes the processor wait.
pub(crate) type Arguments = SmallVec<[Cell; 6]>;

impl Machine {
    pub(crate) fn call(&mut self, run: &mut Run<'_>, index: u32) -> Result<Flow, Failure> {
        self.look_for_vacancies(run);
        let code = run.code;
        let call = &code.calls[index as usize];
        let function = match call.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => self.function_at(run.registers.get(pointer))?,
        };
        match &code.functions[function.index()] {
            Function::Defined(body) => {
                if body.atomic && !run.granted && self.announce_section(run.thread) {
                    return Ok(Flow::Stop);
                }
                let section = body.atomic
                    && (std::mem::take(&mut run.granted) || self.started <= 1 && !self.in_section(run.thread));
                let arguments = call.arguments.of(&code.arguments);
                let mut values = Arguments::new();
                values.extend(arguments.iter().map(|argument| run.registers.get(argument.value)));
                let variadic = if body.variadic { self.variadic_area(run, call, &values)? } else { (0, None) };
                let fixed = if body.variadic { call.fixed as usize } else { values.len() };
                let frame = Frame { variadic: variadic.0, objects: variadic.1, section, ..new_frame(function) };
                self.enter(run, body, frame, &values[..fixed])?;
                Ok(Flow::Moved)
            }
            Function::Modelled(handler, _) => self.invoke(run, *handler, function, call),
            Function::Unknown => {
                let name = self.function_name(function);
                Err(Failure::unsupported(format!("the program calls `{name}`, which is neither defined nor modelled")))
            }
        }
    }

    /// The function that a pointer points to.
    pub(crate) fn function_at(&self, pointer: Cell) -> Result<FunctionId, Failure> {
        if !pointer.is_defined() {
            return Err(undecided("which function is called"));
        }
        match self.memory.resolve(pointer.bits) {
            Some((object, 0)) if matches!(self.memory.object(object).state.origin, Origin::Function(_)) => {
                let Origin::Function(function) = self.memory.object(object).state.origin else { unreachable!() };
                Ok(function)
            }
            _ if pointer.bits == 0 => Err(Failure::new(BugKind::NullPointer, "the null pointer is called")),
            _ => Err(Failure::new(BugKind::InvalidPointer, "a pointer is called that does not point to a function")),
        }
    }

    /// Lays out variadic arguments in an object of the frame to come.
    fn variadic_area(
        &mut self,
        run: &Run<'_>,
        call: &Call,
        values: &[Cell],
    ) -> Result<(u64, Option<ObjectId>), Failure> {
        let arguments = &call.arguments.of(&run.code.arguments)[call.fixed as usize..];
        let mut layout: SmallVec<[(u64, Cell); 8]> = SmallVec::new();
        let (mut offset, mut high) = (0_u64, false);
        for (argument, &value) in arguments.iter().zip(&values[call.fixed as usize..]) {
            if argument.width > 64 && !high {
                offset = offset.next_multiple_of(16);
            }
            high = argument.width > 64 && !high;
            layout.push((offset, value));
            offset += 8;
        }
        let object = self.birth(run.thread, offset.max(8), Origin::Internal("variadic arguments"), false)?;
        for (offset, value) in layout {
            self.write(object, offset, 8, value);
        }
        Ok((address_of(object), Some(object)))
    }

    /// Enters a function.
    pub(crate) fn enter<'c>(
        &mut self,
        run: &mut Run<'c>,
        body: &'c Body,
        frame: Frame,
        arguments: &[Cell],
    ) -> Result<(), Failure> {
        let this = &mut self.threads[run.thread];
        if this.frames.len() >= self.settings.call_depth {
            let message = format!("functions call each other {} deep", self.settings.call_depth);
            return Err(Failure::new(BugKind::StackOverflow, message));
        }
        let base = match this.frames.last_mut() {
            Some(caller) => {
                caller.pc = run.pc as u32;
                run.registers.base + run.body.lanes as usize
            }
            None => 0,
        };
        if this.core.named.is_none() && !body.foreign {
            this.core.named = Some(frame.function);
        }
        this.frames.push(Frame { base: base as u32, ..frame });
        let end = base + body.lanes as usize;
        if run.registers.lanes.len() < end {
            run.registers.lanes.resize(end.next_multiple_of(64), Cell::default());
        }
        // C calls across mismatched declarations: what is missing has no value.
        for lane in 0..body.parameters as usize {
            run.registers.lanes[base + lane] = arguments.get(lane).copied().unwrap_or(Cell::undefined(64));
        }
        // What was there before depends on executions that were taken back: see `reclaim`.
        run.registers.lanes[base + body.parameters as usize..end].fill(Cell::default());
        run.registers.base = base;
        run.body = body;
        run.pc = 0;
        Ok(())
    }

    /// Calls a function that the machine models, stage by stage.
    fn invoke(
        &mut self,
        run: &mut Run<'_>,
        handler: Handler,
        function: FunctionId,
        call: &Call,
    ) -> Result<Flow, Failure> {
        let code = run.code;
        let mut arguments = Arguments::new();
        arguments.extend(call.arguments.of(&code.arguments).iter().map(|argument| run.registers.get(argument.value)));
        let thread = run.thread;
        if !std::mem::take(&mut run.granted) {
            self.threads[thread].core.stage = 0;
        }
        // A failure is to be found where the call is.
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.pc = run.pc as u32;
        }
        loop {
            let stage = self.threads[thread].core.stage;
            let invocation =
                Invocation { thread, stage, function, arguments: &arguments, looks: call.looks, section: call.section };
            // It is large, and looked at where it is.
            match handler(self, &invocation) {
                Err(failure) => return Err(failure),
                Ok(Reply::Return(ref values)) => {
                    assign_results(run, call, values);
                    return Ok(Flow::Next);
                }
                Ok(Reply::Visible(ref mut request)) => {
                    if !self.go_at_once(thread, request)? {
                        self.announce(thread, request);
                        return Ok(Flow::Stop);
                    }
                    self.threads[thread].core.stage = request.stage;
                }
                Ok(Reply::Enter { function, ref arguments, stage }) => {
                    return self.enter_back(run, function, arguments, Back::Handler(stage));
                }
                Ok(Reply::End(result)) => {
                    if stage == 0 && self.announce_end(thread) {
                        return Ok(Flow::Stop);
                    }
                    return self.end_frames(run, result);
                }
                Ok(Reply::Unwind) => return self.unwind(run),
                Ok(Reply::Jump(destination)) => return self.jump_back(run, destination),
                Ok(Reply::Stuck) => {
                    self.give_up(thread, None);
                    return Ok(Flow::Stop);
                }
            }
        }
    }

    /// Enters a function on behalf of the machine.
    fn enter_back(
        &mut self,
        run: &mut Run<'_>,
        function: FunctionId,
        arguments: &[Cell],
        back: Back,
    ) -> Result<Flow, Failure> {
        let code = run.code;
        let Some(body) = code.body(function) else {
            let name = &self.module.function(function).name;
            return Err(Failure::unsupported(format!("`{name}` is called back, which is not defined in the program")));
        };
        let record = self.threads[run.thread].core.record;
        self.enter(run, body, Frame { back, record, ..new_frame(function) }, arguments)?;
        Ok(Flow::Moved)
    }

    /// While there is only one thread, no order matters: carries the operation out if it can be.
    fn go_at_once(&mut self, thread: ThreadId, request: &Request) -> Result<bool, Failure> {
        if self.started > 1 || request.joins.is_some() || request.choices != Choices::One {
            return Ok(false);
        }
        let mut visits = std::mem::take(&mut self.scratch);
        visits.clear();
        let carried = Carried { thread, verb: request.verb, special: request.special, choice: 0 };
        let outcome = carry_out(self, carried, &request.accesses, &mut visits);
        self.scratch = visits;
        let Some(outcome) = outcome? else { return Ok(false) };
        self.outcome = outcome;
        request.uses.map_or(Ok(()), |sync| self.check_use(sync))?;
        Ok(true)
    }

    pub(crate) fn return_from(&mut self, run: &mut Run<'_>, span: Span) -> Result<Flow, Failure> {
        let thread = run.thread;
        let Some(&frame) = self.threads[thread].frames.last() else { return Ok(Flow::Stop) };
        if !run.granted && self.announce_return(thread, &frame) {
            return Ok(Flow::Stop);
        }
        run.granted = false;
        let mut values: SmallVec<[Cell; 2]> = SmallVec::new();
        values.extend(span.of(&run.code.operands).iter().map(|&operand| run.registers.get(operand)));
        if !self.is_outlived(thread) {
            let mut next = frame.objects;
            while let Some(object) = next {
                self.end_object(object, Life::Left);
                next = self.memory.object(object).state.link;
            }
        }
        self.threads[thread].frames.pop();
        if frame.back == Back::End {
            let result = values.first().copied().unwrap_or(Cell::new(0));
            return self.end_base(run, result);
        }
        self.resume_caller(run);
        match frame.back {
            Back::Handler(stage) => {
                self.threads[thread].core.stage = stage;
                self.threads[thread].core.record = frame.record;
                self.outcome.before = values.first().map_or(0, |value| value.bits);
                // The handler goes on where it called back.
                run.granted = true;
                Ok(Flow::Moved)
            }
            _ => {
                if let Instruction::Call(index) = run.body.instructions[run.pc] {
                    assign_results(run, &run.code.calls[index as usize], &values);
                }
                Ok(Flow::Next)
            }
        }
    }

    /// Makes the caller of the frame that was left the running one, saving it if the step has not met it yet.
    pub(crate) fn resume_caller(&mut self, run: &mut Run<'_>) {
        let thread = run.thread;
        let depth = self.threads[thread].frames.len() - 1;
        let caller = self.threads[thread].frames[depth];
        run.registers.base = caller.base as usize;
        run.pc = caller.pc as usize;
        if let Some(body) = run.code.body(caller.function) {
            run.body = body;
        }
        if depth < self.threads[thread].watermark {
            self.threads[thread].watermark = depth;
            self.save_frame(thread, depth, &run.registers.lanes);
        }
    }

    /// Saves a frame, whose lanes are among `lanes`.
    pub(crate) fn save_frame(&mut self, thread: ThreadId, depth: usize, lanes: &[Cell]) {
        if !self.log.is_on {
            return;
        }
        let frame = self.threads[thread].frames[depth];
        self.log.save_frame(&self.code, &frame, lanes);
        self.log.changes.push(Undo::Frame { thread, depth: depth as u32 });
    }

    /// Whether the variables of the function that returns are there afterwards, because it is the first of the program.
    fn is_outlived(&self, thread: ThreadId) -> bool {
        self.stays(thread) && self.threads[thread].frames.len() == 1
    }

    /// Whether the variables of the thread are there when it has ended.
    fn stays(&self, thread: ThreadId) -> bool {
        thread == MAIN && self.settings.main_stays
    }

    /// Announces a return if others can notice it: if variables end that they can reach, or an atomic section.
    fn announce_return(&mut self, thread: ThreadId, frame: &Frame) -> bool {
        if self.started <= 1 {
            return false;
        }
        let is_exit = thread == MAIN && frame.back == Back::End && Some(frame.function) == self.module.entry();
        let runs_handlers = is_exit && self.code.has_exit_handlers;
        if frame.objects.is_none() && !frame.section && !runs_handlers {
            return false;
        }
        let mut request = Request::new(Verb::Return, 0);
        if runs_handlers {
            request = self.begin_exit(request);
        }
        if !self.is_outlived(thread) && !self.is_alone(thread) {
            self.add_ends(frame.objects, &mut request);
        }
        if frame.section {
            request.accesses.push(Access::new(self.section, Effect::Write(0)));
        }
        let visible = !request.accesses.is_empty() || request.address != 0;
        if visible {
            self.announce(thread, &mut request);
        }
        visible
    }

    /// Announces the end of a thread in the middle of its functions, if others can notice that their variables end.
    fn announce_end(&mut self, thread: ThreadId) -> bool {
        if self.started <= 1 || self.stays(thread) || self.threads[thread].core.exiting {
            return false;
        }
        let mut request = Request::new(Verb::Exit, 0);
        for depth in 0..self.threads[thread].frames.len() {
            let objects = self.threads[thread].frames[depth].objects;
            self.add_ends(objects, &mut request);
        }
        let visible = !request.accesses.is_empty() || request.address != 0;
        if visible {
            self.announce(thread, &mut request);
        }
        visible
    }

    /// Adds the ends of those variables of a frame, of which this is the youngest, that others can reach.
    pub(crate) fn add_ends(&mut self, youngest: Option<ObjectId>, request: &mut Request) {
        let mut next = youngest;
        while let Some(object) = next {
            let state = &self.memory.object(object).state;
            if state.owner == Owner::Shared && state.life != Life::OutOfScope {
                self.add_end(object, request);
                request.address = address_of(object);
            }
            next = self.memory.object(object).state.link;
        }
    }

    /// Adds what conflicts with all accesses to an object: its end.
    pub(crate) fn add_end(&mut self, object: ObjectId, request: &mut Request) {
        if self.is_told() && request.verb != Verb::Realloc {
            // The engine need not know: see `Machine::end_object`.
            return;
        }
        // To allocate anew is to read all, too.
        let end = if request.verb == Verb::Realloc { Effect::Modify(|old, _| old, 0) } else { Effect::End };
        let size = self.memory.object(object).state.size;
        if size > LARGE && !self.is_told() {
            let location = self.lifetime(object);
            request.accesses.push(Access::new(location, end).ordered(Ordering::Plain));
            return;
        }
        for granule in 0..size.div_ceil(8) as u32 {
            let location = self.location(object, granule);
            let part = Part { granule, first: 0, bytes: 8, at: 8 * granule };
            request.accesses.push(part_access(location, part, end, Ordering::Plain));
        }
    }

    /// Announces the beginning of an atomic section, if others can notice it.
    fn announce_section(&mut self, thread: ThreadId) -> bool {
        if self.started <= 1 || self.in_section(thread) {
            return false;
        }
        let mut request = self.enter_section(thread, None);
        self.announce(thread, &mut request);
        true
    }

    /// Ends the thread from wherever it is: `pthread_exit`, `exit`.
    fn end_frames(&mut self, run: &mut Run<'_>, result: Cell) -> Result<Flow, Failure> {
        let thread = run.thread;
        while let Some(frame) = self.threads[thread].frames.last().copied() {
            let depth = self.threads[thread].frames.len() - 1;
            if depth < self.threads[thread].watermark {
                self.threads[thread].watermark = depth;
                self.save_frame(thread, depth, &run.registers.lanes);
            }
            if !self.stays(thread) && !self.threads[thread].core.exiting {
                let mut next = frame.objects;
                while let Some(object) = next {
                    self.end_object(object, Life::Left);
                    next = self.memory.object(object).state.link;
                }
            }
            self.threads[thread].frames.pop();
        }
        self.threads[thread].core.left = true;
        self.end_base(run, result)
    }

    /// The thread has no frame left: goes on with what comes after its function, or ends.
    fn end_base(&mut self, run: &mut Run<'_>, result: Cell) -> Result<Flow, Failure> {
        let thread = run.thread;
        if thread == MAIN
            && let Some(next) = self.next_startup()
        {
            let code = run.code;
            self.push_first_frame_of_run(run, next)?;
            if let Some(body) = code.body(next) {
                run.body = body;
            }
            return Ok(Flow::Moved);
        }
        let core = &mut self.threads[thread].core;
        if core.rounds == 0 {
            core.result = result;
            core.rounds = 1;
            if thread == MAIN && !core.exiting {
                // To return from `main` is to call `exit`; to leave it by `pthread_exit` is not.
                core.exiting = !core.left;
                self.exit_status = Some(result.bits as u32 as i32);
            }
        }
        self.publish(result);
        if let Some((function, argument)) = self.next_destructor(thread)? {
            return self.enter_back(run, function, &[Cell::new(argument)], Back::End);
        }
        self.threads[thread].core.phase = Phase::Ended;
        self.alive.remove(thread);
        self.reached_the_end |= self.threads[thread].core.exiting;
        Ok(Flow::Stop)
    }

    /// What the first thread runs next before or including `main`.
    fn next_startup(&mut self) -> Option<FunctionId> {
        let core = &mut self.threads[MAIN].core;
        let position = usize::from(core.startup);
        let constructors = &self.module.constructors;
        if core.left || position >= constructors.len() {
            return None;
        }
        core.startup += 1;
        constructors.get(position + 1).copied().or_else(|| self.module.entry())
    }

    fn push_first_frame_of_run(&mut self, run: &mut Run<'_>, function: FunctionId) -> Result<(), Failure> {
        std::mem::swap(&mut self.threads[run.thread].lanes, &mut run.registers.lanes);
        let result = self.push_first_frame(run.thread, function);
        std::mem::swap(&mut self.threads[run.thread].lanes, &mut run.registers.lanes);
        run.registers.base = 0;
        run.pc = 0;
        result
    }
}

fn new_frame(function: FunctionId) -> Frame {
    Frame {
        function,
        pc: 0,
        base: 0,
        objects: None,
        variadic: 0,
        back: Back::Results,
        record: Default::default(),
        section: false,
    }
}

pub(crate) fn assign_results(run: &mut Run<'_>, call: &Call, values: &[Cell]) {
    for (index, &lane) in call.results.of(&run.code.lanes).iter().enumerate() {
        let value = values.get(index).copied().unwrap_or(Cell::undefined(64));
        run.registers.set(lane, value);
    }
}
