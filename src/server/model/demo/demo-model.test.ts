import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type {
  JSONSchema7,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { callModel } from "@/server/model/call-model";
import drawChart from "./draw-chart.sh?raw";
import { planReply } from "./plan-reply";
import { createDemoModel } from "./demo-model";
import type { ChatModel, StepOutcome, StepPart } from "@/server/model/model-step";

const tool = (name: string, inputSchema: LanguageModelV4FunctionTool["inputSchema"] = {}) => ({
  type: "function" as const,
  name,
  inputSchema,
});
const userMessage = (text: string): LanguageModelV4Prompt[number] => ({
  role: "user",
  content: [{ type: "text", text }],
});
const toolResult = (
  toolName: string,
  output: LanguageModelV4ToolResultOutput,
): LanguageModelV4Prompt => [
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: `of ${toolName}`, toolName, input: {} }],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: `of ${toolName}`, toolName, output }],
  },
];

const demo = (client = createDemoModel(1)): ChatModel => ({
  provider: "demo",
  model: "demo",
  label: "demo/demo",
  contextLimit: null,
  prices: null,
  client,
});

const callDemo = (
  prompt: LanguageModelV4Prompt | string,
  tools: LanguageModelV4FunctionTool[] = [],
  rest: { model?: ChatModel; signal?: AbortSignal; append?: (delta: string) => void } = {},
): Promise<StepOutcome> =>
  callModel(
    rest.model ?? demo(),
    { prompt: typeof prompt === "string" ? [userMessage(prompt)] : prompt, tools },
    {
      sink: {
        start: () => undefined,
        append: (_index, delta) => rest.append?.(delta),
        end: () => undefined,
      },
      signal: rest.signal ?? new AbortController().signal,
      now: () => new Date(),
    },
  );

const getText = ({ parts }: { parts: StepPart[] }): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");
const getCalls = ({ parts }: { parts: StepPart[] }): [string, unknown][] =>
  parts.flatMap((part) =>
    part.type === "tool_call" ? [[part.toolName, JSON.parse(part.input) as unknown]] : [],
  );

it("counts the words of a prompt with files, and not their bytes", async () => {
  const data = { type: "data" as const, data: Buffer.alloc(1_000_000, 7) };
  const file = { type: "file" as const, mediaType: "image/png", data };
  const prompt: LanguageModelV4Prompt = [
    { role: "user", content: [file, { type: "text", text: "What does it show?" }] },
    ...toolResult("photo", { type: "content", value: [file] }),
  ];
  const outcome = await callDemo(prompt);
  expect(outcome.type === "finished" && outcome.usage?.input_tokens).toBeLessThan(100);
});

describe("demo model: conversation", () => {
  it("explains what it is and how to configure a real model", async () => {
    const outcome = await callDemo("Hello there", [tool("current_time")]);
    expect(outcome).toMatchObject({ type: "finished", finishReason: "stop" });
    const text = getText(outcome);
    for (const word of ["demo model", "> Hello there", "`help`", "PARLEY_MODELS", "OPENAI_API_KEY"])
      expect(text).toContain(word);
  });

  it("answers the last of messages that have no answer between them", async () => {
    const content = ["fail auth", "Hello"].map((text) => ({ type: "text" as const, text }));
    const outcome = await callDemo([{ role: "user", content }]);
    expect(getText(outcome)).toContain("You said:\n\n> Hello");
  });

  it.each([
    ["the words that came with them", ["Which is it?"], "> Which is it?"],
    ["that there are some", [], "> These files"],
  ])("answers a message with files by %s", async (_what, words, answer) => {
    const texts = ['<attached_file>{"name":"a.png"}</attached_file>', ...words];
    const content = texts.map((text) => ({ type: "text" as const, text }));
    expect(getText(await callDemo([{ role: "user", content }]))).toContain(answer);
  });

  it("is deterministic", async () => {
    const [one, other] = await Promise.all([callDemo("think Hello"), callDemo("think Hello")]);
    expect(getText(one)).toBe(getText(other));
  });

  it("streams reasoning before text for `think`", async () => {
    const { parts } = await callDemo("think about life");
    expect(parts.map((part) => part.type)).toEqual(["reasoning", "text"]);
  });

  it("writes the requested number of words and counts them as tokens", async () => {
    const outcome = await callDemo("write 40 words");
    expect(getText(outcome).split(" ")).toHaveLength(40);
    expect(outcome).toMatchObject({ usage: { output_tokens: 40 } });
  });

  it("streams word by word", async () => {
    const deltas: string[] = [];
    await callDemo("write 12 words", [], { append: (delta) => deltas.push(delta) });
    expect(deltas).toHaveLength(12);
  });

  it("streams a story at the requested speed", async () => {
    const prompt = "slow 3 ms story for Ann";
    expect(planReply({ prompt: [userMessage(prompt)] }, 1)).toMatchObject({ wordMs: 3 });
    expect(getText(await callDemo(prompt))).toMatch(/^Once upon a time .* The end\.$/s);
  });

  it("stops on abort and keeps its partial text", async () => {
    const abort = new AbortController();
    const outcome = await callDemo("slow story", [], {
      signal: abort.signal,
      append: () => abort.abort(),
    });
    expect(outcome).toMatchObject({ type: "aborted", parts: [{ type: "text", text: "Once" }] });
  });
});

describe("demo model: tools", () => {
  const search = tool("search_web", {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer" } },
    required: ["query"],
  });
  const time = tool("current_time");
  const exec = tool("exec");

  it("calls a tool with the JSON after its name", async () => {
    const outcome = await callDemo('use search_web with {"query": "a } in {braces}", "limit": 2}', [
      search,
    ]);
    expect(getCalls(outcome)).toEqual([["search_web", { query: "a } in {braces}", limit: 2 }]]);
    expect(outcome).toMatchObject({ finishReason: "tool-calls" });
  });

  it("calls all tools that a sentence names, in order, in one batch", async () => {
    const outcome = await callDemo('use exec with {"a":1}, current_time and search_web', [
      search,
      time,
      exec,
    ]);
    expect(getCalls(outcome)).toEqual([
      ["exec", { a: 1 }],
      ["current_time", {}],
      ["search_web", { query: expect.any(String) as unknown }],
    ]);
    const ids = outcome.parts.map((part) => (part.type === "tool_call" ? part.toolCallId : ""));
    expect(new Set(ids).size).toBe(3);
  });

  it("calls a tool that a question mentions", async () => {
    const outcome = await callDemo("What is the current time?", [search, time]);
    expect(getCalls(outcome)).toEqual([["current_time", {}]]);
  });

  it("does not match a name inside a word", async () => {
    const outcome = await callDemo("What does the executive say?", [exec]);
    expect(getCalls(outcome)).toEqual([]);
  });

  it("keeps invalid JSON as arguments", async () => {
    const { parts } = await callDemo("use exec with {oops", [exec]);
    expect(parts).toMatchObject([{ toolName: "exec", input: "{oops" }]);
  });

  it("reports an unknown tool", async () => {
    const outcome = await callDemo("use teleport with {}", [exec]);
    expect(getCalls(outcome)).toEqual([]);
    expect(getText(outcome)).toContain("I need `teleport`");
  });

  it("summarizes results and failures and stops", async () => {
    const prompt = [
      userMessage("use search_web and exec"),
      ...toolResult("search_web", { type: "json", value: { hits: 3 } }),
      ...toolResult("exec", { type: "error-text", value: "not allowed" }).slice(1),
    ];
    const outcome = await callDemo(prompt, [search, exec]);
    expect(outcome).toMatchObject({ finishReason: "stop" });
    expect(getText(outcome)).toContain('`search_web`: {"hits":3}');
    expect(getText(outcome)).toContain("`exec` **failed**: not allowed");
    expect(getCalls(outcome)).toEqual([]);
  });

  it("continues with the next batch after `then`", async () => {
    const question = userMessage("use search_web then exec");
    expect(getCalls(await callDemo([question], [search, exec]))).toHaveLength(1);
    const second = [question, ...toolResult("search_web", { type: "text", value: "ok" })];
    expect(getCalls(await callDemo(second, [search, exec]))).toEqual([["exec", {}]]);
    const third = [...second, ...toolResult("exec", { type: "text", value: "done" })];
    expect(getText(await callDemo(third, [search, exec]))).toContain("`exec`: done");
  });

  it("ignores a `then` inside arguments", async () => {
    const outcome = await callDemo('use exec with {"note": "now, then later"}', [exec]);
    expect(getCalls(outcome)).toEqual([["exec", { note: "now, then later" }]]);
  });

  it("uses different call ids in different steps", async () => {
    const first = [userMessage("use exec")];
    const second = [...first, ...toolResult("exec", { type: "text", value: "ok" }), ...first];
    const [one, other] = await Promise.all([callDemo(first, [exec]), callDemo(second, [exec])]);
    expect(one.parts[0]).not.toEqual(other.parts[0]);
    expect(getCalls(other)).toEqual(getCalls(one));
  });
});

describe("demo model: phrases", () => {
  const TOOLS = [
    "web_fetch",
    "web_search",
    "exec",
    "read_file",
    "append_file",
    "write_file",
    "edit_file",
    "move_file",
    "delete_file",
    "list_directory",
    "search_files",
    "load_image",
    "deliver_file",
    "save_artifact",
    "ask_user_question",
    "todo_write",
    "current_time",
  ].map((name) => tool(name));

  it.each<[phrase: string, toolName: string, input: object]>([
    ["Run `ls -la`", "exec", { action: "run", command: "ls -la" }],
    [
      "run `if true; then echo 1; fi` in a terminal",
      "exec",
      { action: "run", command: "if true; then echo 1; fi", pty: true },
    ],
    [
      "run `sleep 5` in the background and report its end",
      "exec",
      { action: "run", command: "sleep 5", background: true, report_on_exit: true },
    ],
    ["read a.txt", "read_file", { path: "a.txt" }],
    ["Show me the file src/a.txt.", "read_file", { path: "src/a.txt" }],
    ['Write "Buy milk" to notes.md', "write_file", { path: "notes.md", content: "Buy milk" }],
    ['append "x" to a.txt', "append_file", { path: "a.txt", content: "x" }],
    [
      'replace "a" with "b" in a.txt',
      "edit_file",
      { path: "a.txt", edits: [{ old_text: "a", new_text: "b" }] },
    ],
    ["rename a.txt to b.txt", "move_file", { from: "a.txt", to: "b.txt" }],
    ["delete b.txt", "delete_file", { path: "b.txt" }],
    ["list the files", "list_directory", {}],
    ['search for "TODO" in src', "search_files", { pattern: "TODO", path: "src" }],
    ["Search the web for blue whales", "web_search", { query: "blue whales" }],
    ["fetch https://example.com/a?b=c", "web_fetch", { url: "https://example.com/a?b=c" }],
    ["look at chart.gif", "load_image", { path: "chart.gif" }],
    ["give me chart.gif", "deliver_file", { path: "chart.gif" }],
    ["save artifact 0198-a as a.txt", "save_artifact", { artifact_id: "0198-a", path: "a.txt" }],
    ["What time is it?", "current_time", {}],
  ])("%s", async (phrase, toolName, input) => {
    expect(getCalls(await callDemo(phrase, TOOLS))).toEqual([[toolName, input]]);
  });

  it("asks questions and makes plans about what is said", async () => {
    const asked = await callDemo("Ask me where to go", TOOLS);
    expect(getCalls(asked)).toMatchObject([
      ["ask_user_question", { questions: [{ question: "Where to go?" }] }],
    ]);
    const planned = await callDemo("Make a plan for a picnic", TOOLS);
    expect(getCalls(planned)).toMatchObject([
      ["todo_write", { todos: [{ status: "in_progress" }, {}, {}] }],
    ]);
  });

  it("follows several phrases, one after another", async () => {
    const question = userMessage('write "a" to a.txt then read a.txt');
    const second = [question, ...toolResult("write_file", { type: "text", value: "ok" })];
    expect(getCalls(await callDemo(second, TOOLS))).toEqual([["read_file", { path: "a.txt" }]]);
  });

  it.each(["help", "What can you do?", "@review What can you do?"])(
    "lists the phrases of the tools on offer: %s",
    async (text) => {
      const help = getText(await callDemo(text, [tool("read_file"), tool("current_time")]));
      for (const line of [
        "- read notes.md",
        "names a tool: `read_file`, `current_time`",
        "`fail 429`",
      ])
        expect(help).toContain(line);
      expect(help).not.toContain("sleep 5");
    },
  );

  it("has an example of each phrase that it understands", async () => {
    const help = getText(await callDemo("help", TOOLS));
    const examples = help.split("\n").flatMap((line) => /^- ([^`]\S.*)$/.exec(line)?.[1] ?? []);
    expect(examples.length).toBeGreaterThan(15);
    for (const example of examples)
      expect(getCalls(await callDemo(example, TOOLS)), example).toHaveLength(1);
  });
});

describe("demo model: work that ends later", () => {
  it.each([
    ["later in 2 minutes to stretch", { seconds: 120, note: "stretch" }],
    ["remind me in 5 seconds to stretch", { seconds: 5, note: "stretch" }],
    ["Later say hello.", { seconds: 3, note: "say hello" }],
  ])("sets a timer: %s", async (text, args) => {
    expect(getCalls(await callDemo(text, [tool("set_timer")]))).toEqual([["set_timer", args]]);
  });
});

describe("demo model: agents", () => {
  const TOOLS = ["spawn_agent", "wait_agent", "delegate", "exec"].map((name) => tool(name));
  const spawned = (id: string) =>
    toolResult("spawn_agent", { type: "json", value: { chat_id: id, state: "running" } });
  const report = (label: string) =>
    userMessage(`<task_report>${JSON.stringify({ label, report: "All is well." })}</task_report>`);

  it("starts as many as are asked for, each with a title and the work as its prompt", async () => {
    const prompt = "run `echo then` in the background";
    expect(getCalls(await callDemo(`Spawn 2 agents to ${prompt}.`, TOOLS))).toEqual([
      ["spawn_agent", { prompt, title: "Agent 1" }],
      ["spawn_agent", { prompt, title: "Agent 2" }],
    ]);
    expect(getCalls(await callDemo("spawn an agent to write 5 words", TOOLS))).toHaveLength(1);
  });

  it("delegates work", async () => {
    expect(getCalls(await callDemo("delegate write 5 words", TOOLS))).toEqual([
      ["delegate", { prompt: "write 5 words", title: "Delegated work" }],
    ]);
  });

  it.each([[[]], [[report("Agent 1")]]])(
    "waits for all that it has started, whatever has been reported: %#",
    async (reports) => {
      const prompt = [
        userMessage("spawn 2 agents to write 5 words then wait"),
        ...spawned("a"),
        ...spawned("b").slice(1),
        ...reports,
      ];
      expect(getCalls(await callDemo(prompt, TOOLS))).toEqual([
        ["wait_agent", { chat_ids: ["a", "b"] }],
      ]);
    },
  );

  it("answers what is reported before the turn has ended", async () => {
    const prompt = [userMessage("spawn an agent to write 5 words"), ...spawned("a")];
    const text = getText(await callDemo([...prompt, report("Agent 1")], TOOLS));
    expect(text).toContain("The tool has answered");
    expect(text).toContain("**Agent 1** has ended: All is well.");
  });

  it("has nobody to wait for when it has started none", async () => {
    expect(getCalls(await callDemo("wait", TOOLS))).toEqual([]);
  });
});

describe("demo model: tasks of several steps", () => {
  const NAMES = ["read_file", "write_file", "exec", "load_image", "deliver_file"];
  const ok = (name: string, value = "ok") => toolResult(name, { type: "text", value });

  /** The names of the tools that are called, each answered by `answer`. */
  const play = async (question: string, names: string[], answer: typeof ok = ok) => {
    const prompt = [userMessage(question)];
    const calls: [string, unknown][] = [];
    for (;;) {
      const outcome = await callDemo(
        prompt,
        names.map((name) => tool(name)),
      );
      const [call] = getCalls(outcome);
      if (!call) return { calls, names: calls.map(([name]) => name), text: getText(outcome) };
      calls.push(call);
      prompt.push(...answer(call[0]));
    }
  };

  it("draws a chart: reads, writes a script, runs it, looks at the picture, delivers it", async () => {
    const { calls, names } = await play("Draw a chart of data.csv", NAMES);
    expect(names).toEqual(NAMES);
    expect(calls[2]?.[1]).toMatchObject({ command: "sh chart.sh data.csv chart.gif" });
  });

  it("writes example data when there is none", async () => {
    const { names } = await play("draw me a chart of data.csv", NAMES, (name) =>
      name === "read_file"
        ? toolResult(name, { type: "error-text", value: "no such file" })
        : ok(name),
    );
    expect(names).toEqual(["read_file", "write_file", ...NAMES.slice(1)]);
  });

  it("stops when a step fails, and says so when a tool is missing", async () => {
    const { names, text } = await play("draw a chart of data.csv", NAMES, (name) =>
      name === "exec" ? toolResult(name, { type: "error-text", value: "denied" }) : ok(name),
    );
    expect(names).toEqual(["read_file", "write_file", "exec"]);
    expect(text).toContain("`exec` **failed**: denied");
    const without = await play("draw a chart of data.csv", ["read_file", "write_file"]);
    expect(without).toMatchObject({ calls: [], text: expect.stringContaining("`exec`") as string });
  });

  it("does not take an image that a tool has loaded for a question", async () => {
    const prompt = [
      userMessage("draw a chart of data.csv"),
      ...NAMES.slice(0, 4).flatMap((name) => ok(name)),
      {
        role: "user" as const,
        content: [
          { type: "text" as const, text: "[image]" },
          {
            type: "file" as const,
            mediaType: "image/gif",
            data: { type: "data" as const, data: "" },
          },
        ],
      },
    ];
    const outcome = await callDemo(
      prompt,
      NAMES.map((name) => tool(name)),
    );
    expect(getCalls(outcome)).toEqual([["deliver_file", { path: "chart.gif" }]]);
  });

  it("uses a terminal by the session that it was given", async () => {
    const { calls } = await play("open a terminal", ["exec"], (name) =>
      ok(name, '{"session_id":"s1","status":"running"}'),
    );
    expect(calls).toMatchObject([
      ["exec", { action: "run", pty: true, background: true }],
      ["exec", { action: "write", session_id: "s1" }],
      ["exec", { action: "send_keys", session_id: "s1", keys: "ctrl-d" }],
      ["exec", { action: "poll", session_id: "s1" }],
    ]);
  });

  it("its script draws a picture of the right size with a plain shell", async () => {
    const directory = await mkdtemp(join(tmpdir(), "parley-chart-"));
    await writeFile(join(directory, "chart.sh"), drawChart);
    await writeFile(join(directory, "data.csv"), "a,b\r\none,12\r\ntwo,24.5\r\nthree,6");
    await promisify(execFile)("/bin/sh", ["chart.sh", "data.csv", "chart.gif"], { cwd: directory });
    const image = sharp(await readFile(join(directory, "chart.gif")), { failOn: "warning" });
    expect(await image.metadata()).toMatchObject({
      format: "gif",
      width: 504,
      height: 3 * 38 + 10,
    });
    const { data } = await image.raw().toBuffer({ resolveWithObject: true });
    const isBlue = (x: number, bar: number) => data[((10 + 38 * bar) * 504 + x) * 3] === 0x25;
    expect([0, 1, 2].map((bar) => [isBlue(100, bar), isBlue(200, bar), isBlue(500, bar)])).toEqual([
      [true, true, false],
      [true, true, true],
      [true, false, false],
    ]);
    await rm(directory, { recursive: true });
  });
});

describe("demo model: advice and titles", () => {
  it("calls the advisor alone when it is available", async () => {
    const outcome = await callDemo("advise how to use exec safely", [
      tool("advisor"),
      tool("exec"),
    ]);
    expect(getCalls(outcome)).toEqual([["advisor", { question: "how to use exec safely" }]]);
  });

  it("reports a missing advisor", async () => {
    expect(getText(await callDemo("advise me", [tool("exec")]))).toContain("I need `advisor`");
  });

  it("gives advice as the advisor", async () => {
    const system = { role: "system" as const, content: "You advise another agent." };
    expect(getText(await callDemo([system, userMessage("What now?")]))).toContain("**Risks.**");
  });

  it("fails as the advisor on request", async () => {
    const system = { role: "system" as const, content: "You advise another agent." };
    expect(await callDemo([system, userMessage("fail auth")])).toMatchObject({
      type: "failed",
      failure: { kind: "auth" },
    });
  });

  it("is not the advisor when it has tools", async () => {
    const system = { role: "system" as const, content: "Consult the advisor when in doubt." };
    const outcome = await callDemo([system, userMessage("Hello")], [tool("advisor")]);
    expect(getText(outcome)).toContain("demo model");
  });

  const writeTitle = async (text: string): Promise<unknown> => {
    const schema: JSONSchema7 = {
      type: "object",
      properties: { title: { type: "string" } },
      required: ["title"],
    };
    const { content } = await createDemoModel(1).doGenerate({
      prompt: [userMessage(text)],
      responseFormat: { type: "json", schema },
    });
    return (JSON.parse(content[0]?.type === "text" ? content[0].text : "") as { title: unknown })
      .title;
  };

  it.each([
    ["plan a trip to Oslo", "Plan a trip to Oslo"],
    ['write "Hi!" to docs/notes.md.', "Write Hi to docs/notes.md"],
    ["look at the files in the folder of yesterday", "Look at the files"],
    ["what is this for", "What is this for"],
    ["Go on as to the one with that", "Go on as to the one"],
  ])("writes a plain title of %j", async (text, title) => {
    expect(await writeTitle(text)).toBe(title);
  });
});

describe("demo model: failures", () => {
  it.each([
    ["fail", "generic", false],
    ["fail 429", "rate_limit", true],
    ["fail with 500", "generic", true],
    ["fail 503", "timeout", true],
    ["fail auth", "auth", false],
    ["fail quota", "quota", false],
    ["fail overloaded", "overloaded", true],
    ["fail context", "context_overflow", false],
    ["fail filter", "content_filter", false],
  ])("%s fails with %s", async (text, kind, retryable) => {
    const outcome = await callDemo(text);
    expect(outcome).toMatchObject({ type: "failed", parts: [], failure: { kind, retryable } });
  });

  it("sends a retry delay with a rate limit", async () => {
    expect(await callDemo("fail 429")).toMatchObject({ failure: { retryAfterMs: 1_000 } });
  });

  it("fails in the middle of an answer for `midway`", async () => {
    const outcome = await callDemo("fail midway 500");
    expect(outcome).toMatchObject({ type: "failed", failure: { kind: "generic" } });
    expect(getText(outcome)).toMatch(/^Once upon/);
  });

  it("alternates between failure and answer for `fail once`", async () => {
    const model = demo();
    const outcomes: string[] = [];
    for (let call = 0; call < 4; call++)
      outcomes.push((await callDemo("fail once", [], { model })).type);
    expect(outcomes).toEqual(["failed", "finished", "failed", "finished"]);
  });

  it("tracks `fail once` per prompt", async () => {
    const model = demo();
    expect((await callDemo("fail once, please", [], { model })).type).toBe("failed");
    expect((await callDemo("fail once, thanks", [], { model })).type).toBe("failed");
    expect((await callDemo("fail once, please", [], { model })).type).toBe("finished");
  });
});
