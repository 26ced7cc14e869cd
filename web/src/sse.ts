/** Server-sent events, read from text in any pieces (HTML standard, "event stream"). */

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  readonly id: string;
}

/** Takes pieces of the stream, gives the events that they complete. */
export class EventReader {
  private rest = "";

  feed(piece: string): ServerEvent[] {
    const blocks = (this.rest + piece).split(/\r\n\r\n|\n\n|\r\r/);
    this.rest = blocks.pop()!;
    return blocks.map(readEvent).filter((event) => event.data !== "");
  }
}

function readEvent(block: string): ServerEvent {
  const fields = { event: "message", data: "", id: "" };
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (name === "data") fields.data += (fields.data && "\n") + value;
    else if (name === "event" || name === "id") fields[name] = value;
  }
  return { name: fields.event, data: fields.data, id: fields.id };
}
