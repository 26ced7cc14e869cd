import { describe, expect, test } from "vitest";

import { FrameReader } from "../src/frames";
import { parse } from "../src/exact";
import type { Json } from "../src/json";
import { PLAN } from "./plan";

/** The frames of a finished value, one token each: as `rendercall.consumer.cursor` writes them. */
function* tokens(value: Json): Generator<Json> {
  if (typeof value === "string" && value.length > 3) {
    yield [[value.slice(0, 2)]];
    yield value.slice(2);
    yield [[0]];
  } else if (Array.isArray(value)) {
    yield [[]];
    for (const item of value) yield* tokens(item);
    yield [[0]];
  } else if (typeof value === "object" && value !== null) {
    yield [{}];
    for (const key of Object.keys(value)) {
      yield [key];
      yield* tokens(value[key]!);
    }
    yield [[0]];
  } else {
    yield [value];
  }
}

function fed(...frames: string[]): FrameReader {
  const reader = new FrameReader();
  frames.forEach((frame, seq) => reader.feed(seq, parse(frame)));
  return reader;
}

describe("render frames", () => {
  test("give the value, whatever it holds", () => {
    const reader = new FrameReader();
    [...tokens(PLAN)].forEach((frame, seq) => reader.feed(seq, frame));
    expect(reader.document).toEqual(PLAN);
    expect(reader.complete).toBe(true);
  });

  test("are read as their format's example says", () => {
    const reader = fed('[{},"topic",["S"]]', '"QL"');
    expect(reader.document).toEqual({ topic: "SQL" });
    expect(reader.openPath).toEqual(["topic"]);
    reader.feed(2, parse('[[0],"minutes",[],5,[0],[0]]'));
    expect(reader.document).toEqual({ topic: "SQL", minutes: [5] });
    expect(reader.openPath).toBeNull();
  });

  test("keep integers exact", () => {
    expect(fed('[{},"n",9007199254740993]').document).toEqual({ n: 9007199254740993n });
  });

  test("go on from a keyframe with a string, an array or an object open", () => {
    const text = fed('{"document":{"a":["x"]},"path":["a",0]}', '"y"', '[[0],"z",[0],"b",{}]');
    expect(text.document).toEqual({ a: ["xy", "z"], b: {} });
    expect(text.openPath).toEqual(["b"]);
    const array = fed('{"document":{"a":[1]},"path":["a"]}', "[2]");
    expect(array.document).toEqual({ a: [1, 2] });
    expect(fed('{"document":{"a":1},"path":null}').complete).toBe(true);
  });

  test("that were seen change nothing; after a gap nothing is read until a keyframe", () => {
    const reader = fed('[{},"a",["x"]]');
    expect(reader.feed(0, parse('[{},"a",["x"]]'))).toBe(false);
    expect(reader.feed(2, "z")).toBe(false);
    expect(reader.lost).toBe(true);
    expect(reader.feed(3, "!")).toBe(false);
    expect(reader.document).toEqual({ a: "x" });
    reader.feed(4, parse('{"document":{"a":"xyz!"},"path":["a"]}'));
    reader.feed(5, "?");
    expect(reader.document).toEqual({ a: "xyz!?" });
  });

  test("that do not fit are not read", () => {
    for (const wrong of ["[5]", "[[0],[0],[0]]", '[{"document":1}]']) {
      const reader = fed('[{},"a",["x"]]');
      reader.feed(1, parse(wrong));
      expect(reader.lost).toBe(true);
    }
  });

  test("tell of every part once it has closed", () => {
    const closed: string[] = [];
    const reader = new FrameReader((path, value) => closed.push(`${path.join("/")}=${JSON.stringify(value)}`));
    reader.feed(0, parse('[{},"a",[],1,["x"]]'));
    expect(closed).toEqual(["a/0=1"]);
    reader.feed(1, parse("[[0],[0],[0]]"));
    expect(closed).toEqual(["a/0=1", 'a/1="x"', 'a=[1,"x"]', '={"a":[1,"x"]}']);
  });
});
