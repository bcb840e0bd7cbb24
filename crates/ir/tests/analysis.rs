//! Dominators against their definition, and loops of known shapes.

use everyway_ir::{BlockId, Body, ControlFlow, Dominators, Loops, parse};

/// A body whose block `i` goes to the blocks `edges[i]`.
fn body(edges: &[&[u32]]) -> Body {
    let mut text = String::from("function @f(%0:i32) {\n");
    for (index, targets) in edges.iter().enumerate() {
        text += &format!("b{index}:\n");
        text += &match targets {
            [] => " return\n".to_owned(),
            [one] => format!(" jump b{one}\n"),
            [first, rest @ ..] => {
                let cases: Vec<String> = rest.iter().enumerate().map(|(case, to)| format!(", {case}: b{to}")).collect();
                format!(" switch %0, b{first}{}\n", cases.concat())
            }
        };
    }
    text += "}\n";
    let mut module = parse(&text).unwrap_or_else(|error| panic!("{text}{error}"));
    module.functions.remove(0).body.expect("it is defined")
}

fn analyse(body: &Body) -> (ControlFlow, Dominators, Loops) {
    let flow = ControlFlow::new(body);
    let dominators = Dominators::new(&flow, body.blocks.len());
    let loops = Loops::new(&flow, &dominators);
    (flow, dominators, loops)
}

/// Whether `to` can be reached from the entry without going through `avoided`.
fn reaches_without(flow: &ControlFlow, to: BlockId, avoided: BlockId) -> bool {
    let mut seen = vec![avoided];
    let mut work = if avoided == Body::ENTRY { Vec::new() } else { vec![Body::ENTRY] };
    while let Some(block) = work.pop() {
        if !seen.contains(&block) {
            seen.push(block);
            work.extend_from_slice(flow.successors(block));
        }
    }
    to != avoided && seen.contains(&to)
}

#[test]
fn dominators_are_what_their_definition_says() {
    // A small generator of graphs; the constants are those of Numerical Recipes.
    let mut state = 1u32;
    let mut random = move |bound: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % bound
    };
    for _ in 0..300 {
        let count = 2 + random(8);
        let edges: Vec<Vec<u32>> =
            (0..count).map(|_| (0..random(4)).map(|_| 1 + random(count - 1)).collect()).collect();
        let edges: Vec<&[u32]> = edges.iter().map(Vec::as_slice).collect();
        let body = body(&edges);
        let (flow, dominators, loops) = analyse(&body);
        for above in body.block_ids().filter(|&block| flow.is_reachable(block)) {
            for below in body.block_ids().filter(|&block| flow.is_reachable(block)) {
                let expected = !reaches_without(&flow, below, above);
                assert_eq!(dominators.dominates(above, below), expected, "{above} {below} in {edges:?}");
            }
        }
        for (_, it) in loops.iter() {
            assert!(it.body.iter().all(|&block| dominators.dominates(it.header, block)), "{edges:?}");
        }
    }
}

#[test]
fn nested_loops() {
    // 1 is the header of the outer loop, 2 of the inner, which has two latches.
    let body = body(&[&[1], &[2, 6], &[3, 4], &[2], &[2, 5], &[1], &[]]);
    let (flow, _, loops) = analyse(&body);
    let found: Vec<_> = loops.iter().map(|(_, it)| it.clone()).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].header, BlockId(1));
    assert_eq!(found[0].latches, [BlockId(5)]);
    assert_eq!(found[0].body, [1, 2, 3, 4, 5].map(BlockId));
    assert_eq!(found[0].exits(&flow), [(BlockId(1), BlockId(6))]);
    assert_eq!(found[1].header, BlockId(2));
    assert_eq!(found[1].latches, [3, 4].map(BlockId));
    assert_eq!(found[1].body, [2, 3, 4].map(BlockId));
    assert_eq!(found[1].parent, loops.innermost(BlockId(5)));
    assert_eq!(loops.innermost(BlockId(6)), None);
    assert!(loops.irreducible().is_empty());
}

#[test]
fn cycles_with_two_entries_are_no_loops() {
    let (_, _, loops) = analyse(&body(&[&[1, 2], &[2], &[1]]));
    assert_eq!(loops.iter().count(), 0);
    assert_eq!(loops.irreducible().len(), 1);
}
