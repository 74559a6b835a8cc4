import { expect, it } from "vitest";
import { toOpenCall } from "@/test/to-open-call";
import { isAskedCall } from "./asked-call";

const free = toOpenCall({ tool_call_id: "a", tool_name: "ask", args: {} });
const claimed = { ...free, claim: { holder: "bot", claimed_at: "", expires_at: "" } };

it("asks for a call that no program works on", () => {
  expect(isAskedCall(free, {})).toBe(true);
});

it("leaves a call to the program that works on it, until the person answers it", () => {
  expect(isAskedCall(claimed, {})).toBe(false);
  expect(isAskedCall(claimed, { b: {} })).toBe(false);
  expect(isAskedCall(claimed, { a: {} })).toBe(true);
});
