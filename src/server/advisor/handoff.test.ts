import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { buildHandoff, MAX_STEP_POINTS, removeGuidance } from "./handoff";
import { ADVISOR_GUIDANCE, ADVISOR_PROMPT } from "./prompts";

const system = (content: string): LanguageModelV4Message => ({ role: "system", content });
const user = (text: string): LanguageModelV4Message => ({
  role: "user",
  content: [{ type: "text", text }],
});
const assistant = (text: string): LanguageModelV4Message => ({
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

const EMPTY_STEP = { text: "", reasoning: "" };

const createHandoff = (
  prompt: LanguageModelV4Prompt,
  rest: { step?: { text: string; reasoning: string }; isForOtherModel?: boolean } = {},
) =>
  buildHandoff({
    prompt,
    step: EMPTY_STEP,
    isForOtherModel: false,
    question: "What would you do?",
    ...rest,
  });

/** The text of each message. */
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
/** A message whose JSON has `bytes` bytes. */
const userOfBytes = (bytes: number): LanguageModelV4Message =>
  user("x".repeat(bytes - Buffer.byteLength(JSON.stringify(user("")))));

describe("buildHandoff: order", () => {
  it("puts inherited system messages first, then the advisor's prompt, conversation and question", () => {
    const handoff = createHandoff([
      system("one"),
      system("two"),
      user("hi"),
      assistant("hello"),
      user("so?"),
    ]);
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

  it("puts reasoning and text of the current step before the question", () => {
    const handoff = createHandoff([user("hi")], { step: { text: " I see. ", reasoning: "Hm." } });
    expect(handoff.at(-2)).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: expect.stringContaining("Hm.") as string },
        { type: "text", text: "I see." },
      ],
    });
    expect(handoff.at(-1)).toMatchObject({ role: "user" });
  });

  it("omits an empty current step", () => {
    expect(
      conversation(createHandoff([user("hi")], { step: { text: " ", reasoning: "" } })),
    ).toEqual([user("hi")]);
  });

  it("keeps the last code points of a long step without splitting one", () => {
    const text = `start${"🤔".repeat(MAX_STEP_POINTS)}`;
    const [, , step] = createHandoff([user("hi")], { step: { text, reasoning: "" } });
    expect(step).toEqual(assistant("🤔".repeat(MAX_STEP_POINTS)));
  });
});

describe("buildHandoff: conversation", () => {
  it("keeps the last 20 of 25 messages", () => {
    const prompt = Array.from({ length: 25 }, (_, index) => user(`m${index}`));
    const handoff = createHandoff([system("base"), ...prompt]);
    expect(handoff).toHaveLength(1 + 1 + 20 + 1);
    expect(texts(conversation(handoff))).toEqual(texts(prompt.slice(5)));
  });

  it("stops at the first message that does not fit", () => {
    const prompt = [user("small and old"), userOfBytes(20_000), user("new"), assistant("newer")];
    expect(texts(conversation(createHandoff(prompt)))).toEqual(["new", "newer"]);
  });

  it("is empty when the newest message does not fit", () => {
    expect(conversation(createHandoff([user("old"), userOfBytes(12_001)]))).toEqual([]);
  });

  it("accepts exactly the byte limit", () => {
    expect(conversation(createHandoff([userOfBytes(6_000), userOfBytes(6_000)]))).toHaveLength(2);
    expect(conversation(createHandoff([userOfBytes(6_001), userOfBytes(6_000)]))).toHaveLength(1);
  });

  it("measures bytes of JSON instead of characters", () => {
    expect(conversation(createHandoff([user("é".repeat(5_900))]))).toHaveLength(1);
    expect(conversation(createHandoff([user("é".repeat(6_100))]))).toHaveLength(0);
    expect(conversation(createHandoff([user("\n".repeat(6_100))]))).toHaveLength(0);
  });
});

describe("buildHandoff: system messages", () => {
  it("skips system messages that are too large and keeps the order of the others", () => {
    const handoff = createHandoff([system("first"), system("x".repeat(20_000)), system("last")]);
    expect(systems(handoff)).toEqual(["first", "last", ADVISOR_PROMPT]);
  });

  it("prefers newer system messages", () => {
    const [older, newer] = ["o".repeat(9_000), "n".repeat(9_000)];
    expect(systems(createHandoff([system(older), system(newer)]))).toEqual([newer, ADVISOR_PROMPT]);
  });

  it("limits system messages separately from the conversation", () => {
    const handoff = createHandoff([system("s".repeat(11_000)), userOfBytes(11_000)]);
    expect(handoff).toHaveLength(4);
  });

  it("removes the guidance", () => {
    const handoff = createHandoff([system("base"), system(`\n${ADVISOR_GUIDANCE} `), user("hi")]);
    expect(systems(handoff)).toEqual(["base", ADVISOR_PROMPT]);
    expect(JSON.stringify(handoff)).not.toContain("advisor-guidance");
  });
});

describe("removeGuidance", () => {
  it("removes the message that is the guidance", () => {
    expect(removeGuidance([system("base"), system(ADVISOR_GUIDANCE), user("hi")])).toEqual([
      system("base"),
      user("hi"),
    ]);
  });

  it("keeps other system messages, even one that quotes the guidance", () => {
    const prompt = [system("base"), system(`Mind this: ${ADVISOR_GUIDANCE}`)];
    expect(removeGuidance(prompt)).toEqual(prompt);
  });

  it("keeps messages of other roles", () => {
    const prompt = [user(ADVISOR_GUIDANCE), assistant(ADVISOR_GUIDANCE)];
    expect(removeGuidance(prompt)).toEqual(prompt);
  });
});

describe("buildHandoff: tool results", () => {
  it("drops orphaned tool results and messages that become empty", () => {
    const window = Array.from({ length: 19 }, (_, index) => user(`m${index}`));
    const handoff = createHandoff([calls("a"), results("a"), ...window]);
    expect(texts(conversation(handoff))).toEqual(texts(window));
  });

  it("keeps tool results with their calls", () => {
    const prompt = [user("hi"), calls("a", "b"), results("a", "b"), user("so?")];
    expect(conversation(createHandoff(prompt))).toEqual(prompt);
  });

  it("drops only the orphaned results of a message", () => {
    const [, remaining] = conversation(createHandoff([calls("a"), results("gone", "a")]));
    expect(remaining).toEqual(results("a"));
  });

  it("keeps other parts of a tool message", () => {
    const answer = {
      type: "tool-approval-response" as const,
      approvalId: "approval",
      approved: true,
    };
    const mixed: LanguageModelV4Message = { role: "tool", content: [answer] };
    expect(conversation(createHandoff([mixed]))).toEqual([mixed]);
  });
});

describe("buildHandoff: other model", () => {
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

  it("strips signed reasoning, provider-executed calls and ids", () => {
    const handoff = JSON.stringify(createHandoff(prompt, { isForOtherModel: true }));
    for (const stripped of ["secret", "sealed", "web_search", "found"]) {
      expect(handoff).not.toContain(stripped);
    }
    expect(handoff).toContain("Looking.");
  });

  it("keeps provider data for the same model", () => {
    expect(conversation(createHandoff(prompt))).toEqual(prompt);
  });
});

it("buildHandoff shares no objects with the prompt and does not mutate it", () => {
  const prompt = [system("base"), system(ADVISOR_GUIDANCE), user("hi"), calls("a"), results("a")];
  const before = structuredClone(prompt);
  const handoff = createHandoff(prompt);
  for (const message of handoff) {
    if (message.role !== "system") message.content.length = 0;
    message.providerOptions = { changed: {} };
  }
  expect(prompt).toEqual(before);
});
