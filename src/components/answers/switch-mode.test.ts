import { describe, expect, it } from "vitest";
import type { AnswerableCall } from "@/contract/call";
import { type AnswerMode, type Draft, createDraft } from "./draft";
import { switchMode } from "./switch-mode";

const free: AnswerableCall = { tool_call_id: "1", tool_name: "ask", args: {} };
const person: AnswerableCall = {
  ...free,
  output_schema: {
    type: "object",
    properties: { name: { type: "string" }, vip: { type: "boolean" } },
    required: ["vip"],
  },
};

type Case = {
  what: string;
  call: AnswerableCall;
  draft: Partial<Draft>;
  to: AnswerMode;
  expected: Partial<Draft>;
};

describe("switchMode", () => {
  const cases: Case[] = [
    {
      what: "converts the fields to JSON",
      call: person,
      draft: { form: { value: { name: "Ada" } } },
      to: "json",
      expected: { mode: "json", json: '{\n  "name": "Ada"\n}' },
    },
    {
      what: "converts no untouched field",
      call: person,
      draft: {},
      to: "json",
      expected: { mode: "json", json: "" },
    },
    {
      what: "keeps existing JSON",
      call: person,
      draft: { form: { value: { name: "Ada" } }, json: "{}" },
      to: "json",
      expected: { mode: "json", json: "{}" },
    },
    {
      what: "converts JSON to fields",
      call: person,
      draft: { mode: "json", json: '{"name":"Bob"}' },
      to: "form",
      expected: { mode: "form", form: { value: { name: "Bob" } } },
    },
    {
      what: "keeps the fields if the JSON is invalid",
      call: person,
      draft: { mode: "json", json: "{", form: { value: { name: "Ada" } } },
      to: "form",
      expected: { mode: "form", form: { value: { name: "Ada" } } },
    },
    {
      what: "converts text to a JSON string",
      call: free,
      draft: { text: 'say "hi"' },
      to: "json",
      expected: { mode: "json", json: '"say \\"hi\\""' },
    },
    {
      what: "keeps existing text",
      call: free,
      draft: { mode: "json", json: "5", text: "five" },
      to: "text",
      expected: { mode: "text", text: "five", json: "5" },
    },
  ];
  it.each(cases)("$what", ({ call, draft, to, expected }) => {
    expect(switchMode(call, { ...createDraft(call), ...draft }, to)).toMatchObject(expected);
  });
});
