import { describe, expect, it } from "vitest";
import type { PendingToolCall } from "@/contract/chat";
import { type AnswerMode, type Draft, emptyDraft } from "./draft";
import { switchMode } from "./switch-mode";

const free: PendingToolCall = { tool_call_id: "1", tool_name: "ask", args: {} };
const person: PendingToolCall = {
  ...free,
  output_schema: {
    type: "object",
    properties: { name: { type: "string" }, vip: { type: "boolean" } },
    required: ["vip"],
  },
};

type Case = {
  what: string;
  call: PendingToolCall;
  draft: Partial<Draft>;
  to: AnswerMode;
  becomes: Partial<Draft>;
};

describe("switchMode", () => {
  const cases: Case[] = [
    {
      what: "writes what the fields mean as JSON",
      call: person,
      draft: { form: { value: { name: "Ada" } } },
      to: "json",
      becomes: { mode: "json", json: '{\n  "name": "Ada",\n  "vip": false\n}' },
    },
    {
      what: "keeps JSON that was written before",
      call: person,
      draft: { form: { value: { name: "Ada" } }, json: "{}" },
      to: "json",
      becomes: { mode: "json", json: "{}" },
    },
    {
      what: "puts JSON into the fields",
      call: person,
      draft: { mode: "json", json: '{"name":"Bob"}' },
      to: "form",
      becomes: { mode: "form", form: { value: { name: "Bob" } } },
    },
    {
      what: "keeps the fields when the JSON is broken",
      call: person,
      draft: { mode: "json", json: "{", form: { value: { name: "Ada" } } },
      to: "form",
      becomes: { mode: "form", form: { value: { name: "Ada" } } },
    },
    {
      what: "quotes a text",
      call: free,
      draft: { text: 'say "hi"' },
      to: "json",
      becomes: { mode: "json", json: '"say \\"hi\\""' },
    },
    {
      what: "keeps the text for later",
      call: free,
      draft: { mode: "json", json: "5", text: "five" },
      to: "text",
      becomes: { mode: "text", text: "five", json: "5" },
    },
  ];
  it.each(cases)("$what", ({ call, draft, to, becomes }) => {
    expect(switchMode(call, { ...emptyDraft(call), ...draft }, to)).toMatchObject(becomes);
  });
});
