import { expect, it } from "vitest";
import { createOutputRing } from "./output-ring";

const running = { isComplete: false };

it("keeps the newest bytes, wherever a piece begins", () => {
  const ring = createOutputRing(10);
  let all = "";
  for (const piece of ["abc", "defgh", "", "ijklm", "nopqrstuvwxyz0123", "45", "6"]) {
    ring.write(Buffer.from(piece));
    all += piece;
    expect(ring.readKept().toString()).toBe(all.slice(-10));
    expect(ring.total()).toBe(all.length);
  }
});

it("returns what is new since the last read, and how much was lost before it", () => {
  const ring = createOutputRing(10);
  ring.write(Buffer.from("abcdef"));
  expect(ring.readNew(running)).toEqual({ bytes: Buffer.from("abcdef"), dropped: 0 });
  expect(ring.hasUnread()).toBe(false);
  ring.write(Buffer.from("0123456789ABC"));
  expect(ring.readNew(running)).toEqual({ bytes: Buffer.from("3456789ABC"), dropped: 3 });
  expect(ring.readNew(running)).toEqual({ bytes: Buffer.from(""), dropped: 0 });
});

it("leaves a character that is not whole to the next read, unless nothing follows", () => {
  const ring = createOutputRing();
  const euro = Buffer.from("€");
  ring.write(Buffer.concat([Buffer.from("a"), euro.subarray(0, 2)]));
  expect(ring.readNew(running).bytes.toString()).toBe("a");
  ring.write(euro.subarray(2));
  expect(ring.readNew(running).bytes.toString()).toBe("€");
  ring.write(euro.subarray(0, 1));
  expect(ring.readNew({ isComplete: true }).bytes).toHaveLength(1);
});

it("copies bytes into a target from any that are kept, also over its own end", () => {
  const ring = createOutputRing(10);
  ring.write(Buffer.from("abcdefghijklmn"));
  for (const [from, size, text] of [
    [4, 10, "efghijklmn"],
    [4, 3, "efg"],
    [8, 4, "ijkl"],
    [11, 8, "lmn"],
    [14, 8, ""],
  ] as const) {
    expect(ring.copyTo(Buffer.alloc(size), from).toString()).toBe(text);
  }
  expect(ring.readFrom(0).toString()).toBe("efghijklmn");
  expect(ring.readFrom(12).toString()).toBe("mn");
});

it("shows what is new without counting it as read", () => {
  const ring = createOutputRing(10);
  ring.write(Buffer.from("abcdef"));
  ring.readNew(running);
  ring.write(Buffer.from("0123456789AB"));
  const unread = { bytes: Buffer.from("23456789AB"), dropped: 2 };
  expect(ring.peekNew()).toEqual(unread);
  expect(ring.readNew(running)).toEqual(unread);
});

it("keeps what was not read when it has finished, until it is read or dropped", () => {
  const ring = createOutputRing(8);
  ring.write(Buffer.from("0123456789"));
  ring.finish();
  expect(ring.heldBytes()).toBe(8);
  expect(ring.peekNew()).toEqual({ bytes: Buffer.from("23456789"), dropped: 2 });
  expect(ring.readFrom(5).toString()).toBe("56789");
  expect(ring.readNew({ isComplete: true })).toEqual({
    bytes: Buffer.from("23456789"),
    dropped: 2,
  });
  expect(ring.heldBytes()).toBe(0);
  expect(ring.readNew({ isComplete: true })).toEqual({ bytes: Buffer.alloc(0), dropped: 0 });
  const dropped = createOutputRing(8);
  dropped.write(Buffer.from("0123"));
  dropped.drop();
  expect(dropped.heldBytes()).toBe(0);
  expect(dropped.readNew({ isComplete: true })).toEqual({ bytes: Buffer.alloc(0), dropped: 4 });
});
