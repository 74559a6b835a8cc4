import { describe, expect, it } from "vitest";
import { type Draft, emptyDraft } from "./draft";
import { readDrafts } from "./read-drafts";

const call = { tool_call_id: "a", tool_name: "ask", args: {} };
const draft: Draft = { ...emptyDraft(call), text: "half an ans" };

describe("readDrafts", () => {
  it.each<[what: string, drafts: { [id: string]: Draft }]>([
    ["a text", { a: draft }],
    [
      "fields",
      { a: { ...draft, mode: "form", form: { value: { name: "", vip: false, n: null } } } },
    ],
    ["fields that were all emptied", { a: { ...draft, mode: "form", form: {} } }],
    ["several calls", { a: draft, b: { ...draft, isError: true, errorText: "no" } }],
  ])("gives back %s", (_what, drafts) => {
    expect(readDrafts(JSON.stringify(drafts))).toEqual(drafts);
  });

  it.each<[what: string, stored: string | null]>([
    ["nothing", null],
    ["what is no JSON", "{"],
    ["a null", "null"],
    ["a draft of another shape", JSON.stringify({ a: { text: 5 } })],
  ])("makes no drafts of %s", (_what, stored) => {
    expect(readDrafts(stored)).toEqual({});
  });
});
