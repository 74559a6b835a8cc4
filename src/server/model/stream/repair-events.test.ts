import { describe, expect, it } from "vitest";
import { repairEvents } from "./repair-events";

const toEvent = (usage: unknown): string =>
  `data: ${JSON.stringify({ model: "größer", choices: [], usage })}\n\n`;

const repair = (text: string): string => Buffer.from(repairEvents(Buffer.from(text))).toString();

describe("repairEvents", () => {
  it.each([
    [
      { prompt_tokens: "12", completion_tokens: 2 },
      { prompt_tokens: 12, completion_tokens: 2 },
    ],
    [{ prompt_tokens: "x", completion_tokens: true, total_tokens: "" }, {}],
    [
      { prompt_tokens: 1, prompt_tokens_details: [], completion_tokens_details: "none" },
      { prompt_tokens: 1 },
    ],
    [
      { prompt_tokens_details: { cached_tokens: "7", audio_tokens: null } },
      { prompt_tokens_details: { cached_tokens: 7 } },
    ],
    ["none", undefined],
    [[], undefined],
  ])("makes %j %j", (usage, repaired) => {
    expect(repair(`: ping\n\n${toEvent(usage)}data: [DONE]\n\n`)).toBe(
      `: ping\n\n${toEvent(repaired)}data: [DONE]\n\n`,
    );
  });

  it("takes a blank name for none", () => {
    const toCall = (name: string | null): string => {
      const call = { index: 0, function: { name, arguments: '{"name":""}' } };
      return `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`;
    };
    expect(repair(toCall(""))).toBe(toCall(null));
    expect(repair(toCall(" "))).toBe(toCall(null));
    expect(repair(toCall("now"))).toBe(toCall("now"));
  });

  it("leaves out a number that is too large", () => {
    const [start = "", end = ""] = toEvent({ prompt_tokens: 5 }).split("5");
    expect(repair(`${start}1e999${end}`)).toBe(toEvent({}));
  });

  it.each([
    [
      "text of an answer",
      'data: {"choices":[{"delta":{"content":"\\"usage\\": {"}}],"usage":null}\n\n',
    ],
    ["an event that is cut", 'data: {"usage":{"prompt_tokens":"1'],
    ["what is no JSON", 'data: "usage":{}\n\n'],
    ["an event without data", 'event: "usage":{}\n\n'],
  ])("leaves %s as it is", (_name, text) => {
    expect(repair(text)).toBe(text);
  });
});
