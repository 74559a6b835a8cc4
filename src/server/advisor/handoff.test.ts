import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
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
const resultPart = (
  toolCallId: string,
  output: LanguageModelV4ToolResultPart["output"],
): LanguageModelV4ToolResultPart => ({
  type: "tool-result",
  toolCallId,
  toolName: "read_file",
  output,
});
const results = (...ids: string[]): LanguageModelV4Message => ({
  role: "tool",
  content: ids.map((id) => resultPart(id, { type: "text", value: `result of ${id}` })),
});
const resultWith = (
  id: string,
  output: LanguageModelV4ToolResultPart["output"],
): LanguageModelV4Message => ({ role: "tool", content: [resultPart(id, output)] });
const getResult = (id: string, value: string): LanguageModelV4Message =>
  resultWith(id, { type: "text", value });

const EMPTY_STEP = { text: "", reasoning: "" };

const createHandoff = (
  prompt: LanguageModelV4Prompt,
  rest: { step?: { text: string; reasoning: string } } = {},
) =>
  buildHandoff({
    prompt,
    step: EMPTY_STEP,
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
const countBytes = (messages: LanguageModelV4Prompt): number =>
  Buffer.byteLength(JSON.stringify(messages));
const getCallIds = ({ content }: LanguageModelV4Message): string[] =>
  typeof content === "string"
    ? []
    : content.flatMap((part) => ("toolCallId" in part ? part.toolCallId : []));
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

  it("cuts a message that does not fit at head and tail, and keeps those before it", () => {
    const long = user(`BEGIN ${"x".repeat(20_000)} END`);
    const window = conversation(
      createHandoff([user("old"), assistant("and small"), long, assistant("new")]),
    );
    expect(texts(window)).toEqual([
      "old",
      "and small",
      expect.stringMatching(/^BEGIN x+\n… \d+ bytes left out …\nx+ END$/),
      "new",
    ]);
    expect(countBytes(window)).toBeLessThan(12_000);
  });

  it("keeps a result of 13 KB, its call and the question before it", () => {
    const result = `FIRST ${"x".repeat(13_000)} LAST`;
    const window = conversation(
      createHandoff([user("Why is it slow?"), calls("a"), getResult("a", result)]),
    );
    expect(window.slice(0, 2)).toEqual([user("Why is it slow?"), calls("a")]);
    expect(JSON.stringify(window[2])).toMatch(/FIRST x{3000,}.* bytes left out .*x{1500,} LAST/);
  });

  it.each<[what: string, output: LanguageModelV4ToolResultPart["output"], type: string]>([
    ["JSON", { type: "json", value: { rows: "y".repeat(30_000) } }, "text"],
    ["failed JSON", { type: "error-json", value: ["y".repeat(30_000)] }, "error-text"],
  ])("cuts long %s to text", (_what, output, type) => {
    const [, result] = conversation(createHandoff([calls("a"), resultWith("a", output)]));
    expect(result).toMatchObject({ content: [{ output: { type } }] });
    expect(JSON.stringify(result)).toContain("bytes left out");
  });

  it("cuts long arguments", () => {
    const call = {
      type: "tool-call" as const,
      toolCallId: "a",
      toolName: "write_file",
      input: { path: "notes.txt", content: "z".repeat(30_000) },
    };
    const window = conversation(
      createHandoff([user("Go."), { role: "assistant", content: [call] }, results("a")]),
    );
    expect(window).toHaveLength(3);
    expect(JSON.stringify(window[1])).toMatch(/notes\.txt.*bytes left out/);
  });

  it("keeps the last of many results, with their calls", () => {
    const ids = Array.from({ length: 128 }, (_, index) => `call-${index}`);
    const window = conversation(createHandoff([user("Go."), calls(...ids), results(...ids)]));
    const [kept, answers] = window.slice(-2).map(getCallIds);
    expect(kept).toEqual(answers);
    expect(kept?.length).toBeGreaterThan(8);
    expect(kept?.at(-1)).toBe("call-127");
    expect(countBytes(window)).toBeLessThan(12_000);
  });

  it.each([2, 5, 40])("leaves no gap in %i messages of 13 KB", (count) => {
    const prompt = Array.from({ length: count }, (_, index) =>
      user(`m${index} ${"x".repeat(13_000)}`),
    );
    const window = texts(conversation(createHandoff(prompt))).map((text) => text.split(" ")[0]);
    expect(window.length).toBeGreaterThan(1);
    expect(window).toEqual(
      prompt.slice(-window.length).map((_, at) => `m${count - window.length + at}`),
    );
  });

  it("accepts exactly the byte limit", () => {
    const exact = [userOfBytes(6_000), userOfBytes(6_000)];
    expect(conversation(createHandoff(exact))).toEqual(exact);
    const [cut, whole] = conversation(createHandoff([userOfBytes(6_001), userOfBytes(6_000)]));
    expect(whole).toEqual(exact[1]);
    expect(texts(cut ? [cut] : [])[0]).toContain("bytes left out");
  });

  it("measures bytes of JSON instead of characters", () => {
    const isWhole = (text: string) => texts(conversation(createHandoff([user(text)])))[0] === text;
    expect(isWhole("é".repeat(5_900))).toBe(true);
    expect(isWhole("é".repeat(6_100))).toBe(false);
    expect(isWhole("\n".repeat(6_100))).toBe(false);
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

describe("buildHandoff: provider data", () => {
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
    const handoff = JSON.stringify(createHandoff(prompt));
    for (const stripped of ["secret", "sealed", "web_search", "found"]) {
      expect(handoff).not.toContain(stripped);
    }
    expect(handoff).toContain("Looking.");
  });

  it("measures nothing of it", () => {
    const encrypted = { openai: { itemId: "rs_1", reasoningEncryptedContent: "e".repeat(20_000) } };
    const thought: LanguageModelV4Message = {
      role: "assistant",
      content: [
        { type: "reasoning", text: "r".repeat(20_000), providerOptions: encrypted },
        { type: "text", text: "I see.", providerOptions: encrypted },
      ],
    };
    const window = conversation(createHandoff([user("hi"), thought, user("so?"), thought]));
    expect(texts(window)).toEqual(["hi", "I see.", "so?", "I see."]);
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
