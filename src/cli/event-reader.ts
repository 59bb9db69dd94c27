// Server-sent events, as far as a follower needs them: the id to resume after, and the kind of each.

export type EventSink = { onId(id: string): void; onEvent(kind: string): void };

/** Takes text in pieces of any size. A comment that keeps the connection counts as `quiet`. */
export function createEventReader(sink: EventSink): (text: string) => void {
  let rest = "";
  return (text) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) readBlock(block, sink);
  };
}

function readBlock(block: string, sink: EventSink): void {
  let kind = "quiet";
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^(id|event): ?(.*)$/.exec(line) ?? [];
    if (field === "id") sink.onId(value);
    if (field === "event") kind = value;
  }
  sink.onEvent(kind);
}
