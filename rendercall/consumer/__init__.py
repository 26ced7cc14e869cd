"""How a render call is read: from a stream, from messages, from any store.

From a store: `sources` finds the messages, `messages` reads one in any shape, `judge` weighs its
call, `scan` searches from the end, `rendered` is the outcome.

From a stream: `events` reads any event (`langgraph_wire`, `openai_wire`, `anthropic_wire`,
`snapshots`) into `fragments`; `assembler` sorts them into calls; `readings` tells which text was
meant, and what is `undecided`; `reader` reads that text (`json_reader`, and `typed_tree` by the
`plan` of the schema) into `partial` values (some `deferred` until somebody looks) and `deltas`
(`cursor` is their form on the wire); `stream` is the whole walk, and `update` what each event
changed.
"""
