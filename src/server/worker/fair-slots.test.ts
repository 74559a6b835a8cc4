import { describe, expect, it } from "vitest";
import type { SlotGroups } from "@/server/db/sql/machine/claim";
import { createFairSlots } from "./fair-slots";

const GROUPS: SlotGroups = ["owner one", "provider demo", "one at demo"];
const NO_ROOM = { limit: 0, full: [] };

describe("room for a claim", () => {
  it("that is reserved is not given to another one until it ends", () => {
    const slots = createFairSlots(4);
    const first = slots.reserve(3);
    expect(first).toMatchObject({ limit: 3, full: [] });
    const second = slots.reserve();
    expect(second).toMatchObject({ limit: 1 });
    expect(slots.reserve()).toMatchObject(NO_ROOM);
    first.end();
    second.end();
    expect(slots.reserve()).toMatchObject({ limit: 4 });
  });

  it("is what the turns of the fullest group leave", () => {
    const slots = createFairSlots(4);
    const taken = [1, 2, 3].map(() => slots.take(GROUPS));
    const room = slots.reserve();
    expect(room).toMatchObject({ limit: 1, full: [] });
    expect(slots.reserve()).toMatchObject(NO_ROOM);
    room.end();
    for (const slot of taken) slot.release();
    expect(slots.reserve()).toMatchObject({ limit: 4 });
  });

  it("is left at other providers by turns that have yielded their slots", () => {
    const slots = createFairSlots(4);
    const held = [1, 2, 3, 4].map(() => slots.take(GROUPS));
    held.push(slots.take(["owner one", "provider other", "one at other"]));
    const look = () => {
      const { end: endClaim, limit, full } = slots.reserve();
      endClaim();
      return { limit, full: full.toSorted() };
    };
    expect(look()).toEqual({ limit: 1, full: ["one at demo", "owner one"] });
    for (const slot of held) {
      slot.yield();
      slot.yield();
    }
    expect(look()).toEqual({ limit: 1, full: ["one at demo"] });
    for (const slot of held) {
      slot.reclaim();
      slot.reclaim();
    }
    expect(look()).toEqual({ limit: 1, full: ["one at demo", "owner one"] });
    for (const slot of held.slice(1)) slot.yield();
    for (const slot of held) slot.release();
    expect(look()).toEqual({ limit: 4, full: [] });
  });
});
