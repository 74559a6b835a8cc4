import { describe, expect, it } from "vitest";
import type { MessageView, PartView } from "@/contract/chat-view";
import { groupParts, joinCallSteps } from "./message-parts";

const call = (id: string): PartView => ({
  type: "tool_call",
  tool_call_id: id,
  tool_name: "read_file",
  kind: "builtin",
  args: {},
  state: "completed",
  is_error: false,
  started_at: "2026-03-12T12:00:00.000Z",
});
const text: PartView = { type: "text", text: "so" };

const step = (seq: number, parts: PartView[], role: MessageView["role"] = "assistant") =>
  ({ id: `m${seq}`, seq, revision: seq, role, parts, created_at: "" }) satisfies MessageView;

const getTypes = (parts: PartView[]) => groupParts(parts).map(({ type }) => type);

describe("calls in a row", () => {
  it("are a group from the fifth on", () => {
    const four = ["a", "b", "c", "d"].map(call);
    expect(getTypes(four)).toEqual(four.map(() => "tool_call"));
    const ten = Array.from({ length: 10 }, (_, index) => call(`c${index}`));
    const [group, ...others] = groupParts(ten);
    expect(others).toEqual([]);
    expect(group).toMatchObject({ type: "tool_calls", parts: ten, key: "calls-c0" });
  });

  it("end where the model says something", () => {
    const parts = [call("a"), call("b"), text, ...["c", "d", "e", "f", "g"].map(call), text];
    expect(getTypes(parts)).toEqual(["tool_call", "tool_call", "text", "tool_calls", "text"]);
  });
});

describe("steps that only made calls", () => {
  it("are joined, with the place of the first and the end of the last", () => {
    const steps = [step(1, [text], "user"), step(2, [call("a")]), step(3, [call("b"), call("c")])];
    const [, joined, ...others] = joinCallSteps(steps);
    expect(others).toEqual([]);
    expect(joined).toMatchObject({ id: "m2", seq: 2, revision: 3 });
    expect(joined?.parts).toHaveLength(3);
  });

  it("are not joined with steps that said something, or of people", () => {
    const steps = [step(1, [call("a")]), step(2, [text, call("b")]), step(3, [call("c")], "user")];
    expect(joinCallSteps(steps)).toEqual(steps);
  });

  it("are the same object until a step changes", () => {
    const steps = [step(2, [call("a")]), step(3, [call("b")])];
    const [joined] = joinCallSteps(steps);
    expect(joinCallSteps([...steps])[0]).toBe(joined);
    expect(joinCallSteps([step(2, [call("z")]), ...steps.slice(1)])[0]).not.toBe(joined);
  });
});
