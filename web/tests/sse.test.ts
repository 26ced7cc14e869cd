import { expect, test } from "vitest";

import { EventReader } from "../src/sse";
import { pieces } from "./plan";

const text =
  'event: custom\ndata: {"a":1}\nid: 7-0\n\n: heartbeat\n\nevent: x|y\r\ndata: {"b":\r\ndata: 2}\r\n\r\ndata:{}\n\nevent: cut\ndata: {"c"';

test.each([1, 2, 5, 400])("events come once they are whole, in pieces of %i", (size) => {
  const reader = new EventReader();
  expect(pieces(text, size).flatMap((piece) => reader.feed(piece))).toEqual([
    { name: "custom", data: '{"a":1}', id: "7-0" },
    { name: "x|y", data: '{"b":\n2}', id: "" },
    { name: "message", data: "{}", id: "" },
  ]);
});
