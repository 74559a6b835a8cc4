import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { buildHandoff, MAX_STEP_POINTS, withoutGuidance } from "./handoff";
import { ADVISOR_GUIDANCE, ADVISOR_PROMPT } from "./prompts";

const system = (content: string): LanguageModelV4Message => ({ role: "system", content });
const user = (text: string): LanguageModelV4Message => ({
  role: "user",
  content: [{ type: "text", text }],
});
const says = (text: string): LanguageModelV4Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
});
const calls = (...ids: string[]): LanguageModelV4Message => ({
  role: "assistant",
  content: ids.map((toolCallId) => ({
    type: "tool-call",
    toolCallId,
    toolName: "read_file",
    input: {},
  })),
});
const results = (...ids: string[]): LanguageModelV4Message => ({
  role: "tool",
  content: ids.map((toolCallId) => ({
    type: "tool-result",
    toolCallId,
    toolName: "read_file",
    output: { type: "text", value: `result of ${toolCallId}` },
  })),
});

const NOTHING = { text: "", reasoning: "" };

const handOff = (
  prompt: LanguageModelV4Prompt,
  rest: { step?: { text: string; reasoning: string }; foreign?: boolean } = {},
) =>
  buildHandoff({ prompt, step: NOTHING, foreign: false, question: "What would you do?", ...rest });

/** The messages as text, for those that hold nothing else. */
const texts = (messages: LanguageModelV4Prompt): string[] =>
  messages.map(({ content }) =>
    typeof content === "string"
      ? content
      : content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("|"),
  );
const conversation = (messages: LanguageModelV4Prompt) =>
  messages.filter(({ role }) => role !== "system").slice(0, -1);
const systems = (messages: LanguageModelV4Prompt) =>
  texts(messages.filter(({ role }) => role === "system"));
/** A message whose JSON has exactly so many bytes. */
const userOfBytes = (bytes: number): LanguageModelV4Message =>
  user("x".repeat(bytes - Buffer.byteLength(JSON.stringify(user("")))));

describe("the order of a handoff", () => {
  it("is inherited system messages, the advisor's own, the conversation, the question", () => {
    const handoff = handOff([system("one"), system("two"), user("hi"), says("hello"), user("so?")]);
    expect(texts(handoff)).toEqual([
      "one",
      "two",
      ADVISOR_PROMPT,
      "hi",
      "hello",
      "so?",
      "What would you do?",
    ]);
    expect(handoff.at(-1)).toEqual(user("What would you do?"));
  });

  it("puts what the agent said and thought in this step before the question", () => {
    const handoff = handOff([user("hi")], { step: { text: " I see. ", reasoning: "Hm." } });
    expect(handoff.at(-2)).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: expect.stringContaining("Hm.") as string },
        { type: "text", text: "I see." },
      ],
    });
    expect(handoff.at(-1)).toMatchObject({ role: "user" });
  });

  it("leaves the step out when there is nothing of it", () => {
    expect(conversation(handOff([user("hi")], { step: { text: " ", reasoning: "" } }))).toEqual([
      user("hi"),
    ]);
  });

  it("keeps the last code points of a long step, and splits none", () => {
    const text = `start${"🤔".repeat(MAX_STEP_POINTS)}`;
    const [, , step] = handOff([user("hi")], { step: { text, reasoning: "" } });
    expect(step).toEqual(says("🤔".repeat(MAX_STEP_POINTS)));
  });
});

describe("the conversation in a handoff", () => {
  it("is the last 20 messages of 25", () => {
    const prompt = Array.from({ length: 25 }, (_, index) => user(`m${index}`));
    const handoff = handOff([system("base"), ...prompt]);
    expect(handoff).toHaveLength(1 + 1 + 20 + 1);
    expect(texts(conversation(handoff))).toEqual(texts(prompt.slice(5)));
  });

  it("ends at the first message that does not fit, without a hole", () => {
    const prompt = [user("small and old"), userOfBytes(20_000), user("new"), says("newer")];
    expect(texts(conversation(handOff(prompt)))).toEqual(["new", "newer"]);
  });

  it("is empty when the newest message does not fit", () => {
    expect(conversation(handOff([user("old"), userOfBytes(12_001)]))).toEqual([]);
  });

  it("may take exactly its budget", () => {
    expect(conversation(handOff([userOfBytes(6_000), userOfBytes(6_000)]))).toHaveLength(2);
    expect(conversation(handOff([userOfBytes(6_001), userOfBytes(6_000)]))).toHaveLength(1);
  });

  it("is measured in bytes of JSON, not in characters", () => {
    expect(conversation(handOff([user("é".repeat(5_900))]))).toHaveLength(1);
    expect(conversation(handOff([user("é".repeat(6_100))]))).toHaveLength(0);
    expect(conversation(handOff([user("\n".repeat(6_100))]))).toHaveLength(0);
  });
});

describe("inherited system messages", () => {
  it("are passed over when they are too large, and the others kept in order", () => {
    const handoff = handOff([system("first"), system("x".repeat(20_000)), system("last")]);
    expect(systems(handoff)).toEqual(["first", "last", ADVISOR_PROMPT]);
  });

  it("are kept from the newest on", () => {
    const [older, newer] = ["o".repeat(9_000), "n".repeat(9_000)];
    expect(systems(handOff([system(older), system(newer)]))).toEqual([newer, ADVISOR_PROMPT]);
  });

  it("have a budget of their own", () => {
    const handoff = handOff([system("s".repeat(11_000)), userOfBytes(11_000)]);
    expect(handoff).toHaveLength(4);
  });

  it("never hold the guidance", () => {
    const handoff = handOff([system("base"), system(`\n${ADVISOR_GUIDANCE} `), user("hi")]);
    expect(systems(handoff)).toEqual(["base", ADVISOR_PROMPT]);
    expect(JSON.stringify(handoff)).not.toContain("advisor-guidance");
  });
});

describe("taking the guidance out of a prompt", () => {
  it("removes the message that is the guidance", () => {
    expect(withoutGuidance([system("base"), system(ADVISOR_GUIDANCE), user("hi")])).toEqual([
      system("base"),
      user("hi"),
    ]);
  });

  it("leaves other system messages, also one that quotes it", () => {
    const prompt = [system("base"), system(`Mind this: ${ADVISOR_GUIDANCE}`)];
    expect(withoutGuidance(prompt)).toEqual(prompt);
  });

  it("leaves messages that are not the system's", () => {
    const prompt = [user(ADVISOR_GUIDANCE), says(ADVISOR_GUIDANCE)];
    expect(withoutGuidance(prompt)).toEqual(prompt);
  });
});

describe("tool results in a handoff", () => {
  it("are dropped when their call is not there, with the message that they leave empty", () => {
    const window = Array.from({ length: 19 }, (_, index) => user(`m${index}`));
    const handoff = handOff([calls("a"), results("a"), ...window]);
    expect(texts(conversation(handoff))).toEqual(texts(window));
  });

  it("stay with their calls", () => {
    const prompt = [user("hi"), calls("a", "b"), results("a", "b"), user("so?")];
    expect(conversation(handOff(prompt))).toEqual(prompt);
  });

  it("are dropped one by one from a message that keeps others", () => {
    const [, kept] = conversation(handOff([calls("a"), results("gone", "a")]));
    expect(kept).toEqual(results("a"));
  });

  it("do not take with them what else a message holds", () => {
    const answer = {
      type: "tool-approval-response" as const,
      approvalId: "approval",
      approved: true,
    };
    const mixed: LanguageModelV4Message = { role: "tool", content: [answer] };
    expect(conversation(handOff([mixed]))).toEqual([mixed]);
  });
});

describe("a handoff to another model than the prompt was made for", () => {
  const signed = { anthropic: { signature: "sealed" } };
  const prompt: LanguageModelV4Prompt = [
    user("hi"),
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "secret", providerOptions: signed },
        { type: "text", text: "Looking.", providerOptions: signed },
        {
          type: "tool-call",
          toolCallId: "web",
          toolName: "web_search",
          input: {},
          providerExecuted: true,
        },
        {
          type: "tool-result",
          toolCallId: "web",
          toolName: "web_search",
          output: { type: "text", value: "found" },
        },
      ],
    },
    user("so?"),
  ];

  it("leaves out signed reasoning, the provider's own calls and its ids", () => {
    const handoff = JSON.stringify(handOff(prompt, { foreign: true }));
    for (const foreign of ["secret", "sealed", "web_search", "found"]) {
      expect(handoff).not.toContain(foreign);
    }
    expect(handoff).toContain("Looking.");
  });

  it("keeps all of it for the same model", () => {
    expect(conversation(handOff(prompt))).toEqual(prompt);
  });
});

it("a handoff shares nothing with the prompt, and leaves it as it was", () => {
  const prompt = [system("base"), system(ADVISOR_GUIDANCE), user("hi"), calls("a"), results("a")];
  const before = structuredClone(prompt);
  const handoff = handOff(prompt);
  for (const message of handoff) {
    if (message.role !== "system") message.content.length = 0;
    message.providerOptions = { changed: {} };
  }
  expect(prompt).toEqual(before);
});
