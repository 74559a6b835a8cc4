import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { JsonValue } from "@/contract/json";
import {
  builtinTools,
  prepareDeps,
  type RecordedDeps,
  recordedDeps,
  toolScope,
} from "@/test/tool-fixture";
import { prepareCalls, requirePrepared } from "./prepare-call";
import { runTool } from "./run-tool";
import { type Tool, defineTool } from "./tool";
import type { CallDeps, ToolChat, ToolContext } from "./tool-context";
import {
  type ToolResult,
  ToolFailure,
  artifactResult,
  errorResult,
  jsonResult,
  toolResult,
  userResult,
  withError,
} from "./tool-result";
import { createToolSources } from "./tool-source";
import { type Toolbox, createToolbox } from "./toolbox";

type Input = { text?: string | undefined };
type Run = (context: ToolContext, input: Input) => Promise<ToolResult>;

/** The call of `recordedDeps`, as the preview names it. */
const CALL = { message_id: recordedDeps().deps.step.messageId, tool_call_id: "call-1" };

const echo = (
  run: Run,
  traits: { needsApproval?: (input: Input, chat: ToolChat) => boolean | Promise<boolean> } = {},
) =>
  defineTool({
    name: "echo",
    description: "Echoes",
    input: z.object({ text: z.string().optional() }),
    run,
    ...traits,
  });

const secret = "sk-proj-abcdefghij0123456789";

const dynamicTools = [
  {
    name: "ask_client",
    input_schema: { properties: { city: { type: "string" } }, required: ["city"] },
  },
  { name: "plain" },
];

const getToolbox = (...tools: Tool[]) =>
  createToolbox(createToolSources(tools), toolScope({ dynamicTools }));

const call = (args: JsonValue = {}, toolName = "echo") => ({
  toolCallId: "call-1",
  toolName,
  args,
  approved: false,
});

const prepare = async (
  request: ReturnType<typeof call>,
  toolbox: Toolbox | Promise<Toolbox>,
  deps: CallDeps = recordedDeps().deps,
) => {
  const prepared = await prepareCalls([request], prepareDeps(deps, await toolbox));
  return requirePrepared(prepared, request.toolCallId);
};

const runCall = async (
  request: ReturnType<typeof call>,
  toolbox: Toolbox | Promise<Toolbox>,
  deps: CallDeps = recordedDeps().deps,
) => runTool("call-1", await prepare(request, toolbox, deps), deps);

const circle = (): unknown => {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
};

const run = (body: Run, recorded: RecordedDeps = recordedDeps()) =>
  runCall(call(), getToolbox(echo(body)), recorded.deps);

describe("a call that cannot run is an error that the model can act on:", () => {
  const body = vi.fn(() => Promise.resolve(toolResult("ran")));
  const toolbox = getToolbox(echo(body));

  it.each<[what: string, toolName: string, args: JsonValue, text: RegExp]>([
    ["an unknown tool", "nope", {}, /no tool "nope".*echo, ask_client, plain/],
    ["an empty name", "", {}, /names no tool.*echo/],
    ["a name of a prototype", "constructor", {}, /no tool "constructor"/],
    ["arguments that are no JSON", "echo", '{"text":', /arguments of "echo" are no JSON object/],
    ["arguments of another type", "echo", { text: 5 }, /- \/text: /],
    ["no object", "echo", ["a"], /do not fit "echo"/],
    ["null", "echo", null, /do not fit "echo"/],
    ["a dynamic tool's arguments that are no JSON", "ask_client", "{", /no JSON object/],
    ["a dynamic tool's arguments that miss one", "ask_client", {}, /- \/city: is required/],
    ["a dynamic tool's arguments of another type", "ask_client", { city: 5 }, /- \/city: must be/],
    ["a list for a dynamic tool without parameters", "plain", [1], /do not fit "plain"/],
  ])("%s", async (_what, toolName, args, text) => {
    const outcome = await runCall(call(args, toolName), toolbox);
    expect(outcome).toMatchObject({ state: "error", isError: true, resolvedBy: "worker" });
    expect(outcome.output).toMatch(text);
    expect(body).not.toHaveBeenCalled();
  });

  it.each<[what: string, args: JsonValue, input: object]>([
    ["an unknown key", { text: "a", other: 1 }, { text: "a" }],
    ["null for an optional field", { text: null }, {}],
    ["null for an unknown key", { other: null }, {}],
    ["a key of a prototype", JSON.parse('{"__proto__": {"text": 5}}') as JsonValue, {}],
  ])("not %s, which is dropped", async (_what, args, input) => {
    const inputs: object[] = [];
    const tool = echo((_context, given) => {
      inputs.push(given);
      return Promise.resolve(toolResult("ran"));
    });
    expect(await runCall(call(args), getToolbox(tool))).toMatchObject({ state: "completed" });
    expect(inputs).toEqual([input]);
  });

  it("null for a required field", async () => {
    const outcome = await runCall(call({ path: null }, "read_file"), getToolbox(...builtinTools));
    expect(outcome).toMatchObject({ state: "error" });
    expect(outcome.output).toMatch(/- \/path: /);
  });

  it("a dynamic tool with fitting arguments, which is a bug and is logged", async () => {
    const { deps, logged } = recordedDeps();
    const outcome = await runCall(call({ city: "Rome" }, "ask_client"), toolbox, deps);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(/bug/);
    expect(logged).toMatchObject([{ level: "error" }]);
  });
});

describe("prepareCalls", () => {
  it("lets a dynamic call wait for its client, also with arguments that its schema does not name", async () => {
    const prepared = await prepare(call({ city: "Rome", more: 1 }, "ask_client"), getToolbox());
    expect(prepared).toEqual({
      type: "wait",
      toolName: "ask_client",
      needsApproval: false,
      approvalScope: null,
    });
  });

  it("checks by the arguments whether a person must approve the call", async () => {
    const tool = echo(() => Promise.resolve(toolResult("a")), {
      needsApproval: ({ text }) => text === "rm",
    });
    const needs = (text: string) => prepare(call({ text }), getToolbox(tool));
    expect(await needs("ls")).toMatchObject({ type: "run", needsApproval: false });
    expect(await needs("rm")).toMatchObject({ type: "run", needsApproval: true });
  });

  it("looks up what the call's chat allows", async () => {
    const allowed = new Set(["chat-1"]);
    const tool = echo(() => Promise.resolve(toolResult("a")), {
      needsApproval: async (_input, { chatId }) => Promise.resolve(!allowed.has(chatId)),
    });
    const inChat = (chatId: string) =>
      prepare(call(), getToolbox(tool), recordedDeps({ step: { chatId } }).deps);
    expect(await inChat("chat-1")).toMatchObject({ needsApproval: false });
    expect(await inChat("chat-2")).toMatchObject({ needsApproval: true });
  });

  it("does not check again a call that a person has approved", async () => {
    const needsApproval = vi.fn(() => true);
    const tool = echo(() => Promise.resolve(toolResult("a")), { needsApproval });
    const prepared = await prepare({ ...call(), approved: true }, getToolbox(tool));
    expect(prepared).toMatchObject({ type: "run", needsApproval: false });
    expect(needsApproval).not.toHaveBeenCalled();
  });

  it("refuses a call whose approval cannot be looked up, and logs why", async () => {
    const { deps, logged } = recordedDeps();
    const body = vi.fn(() => Promise.resolve(toolResult("ran")));
    const cause = new Error("the database is gone");
    const tool = echo(body, { needsApproval: () => Promise.reject(cause) });
    const outcome = await runCall(call(), getToolbox(tool), deps);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).not.toContain("database");
    expect(body).not.toHaveBeenCalled();
    expect(logged).toMatchObject([{ level: "error", fields: { err: cause } }]);
  });
});

describe("a tool that needs an approval", () => {
  const body = vi.fn(() => Promise.resolve(toolResult("ran")));
  const toolbox = getToolbox(echo(body, { needsApproval: () => true }));

  it("does not run without one", async () => {
    const outcome = await runCall(call(), toolbox);
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(body).not.toHaveBeenCalled();
  });

  it("runs with one", async () => {
    const outcome = await runCall({ ...call(), approved: true }, toolbox);
    expect(outcome).toMatchObject({ state: "completed", output: "ran" });
  });
});

describe("a failing tool becomes an error outcome:", () => {
  const thrown: [what: string, value: unknown, text: string][] = [
    ["an error", new Error("kaput"), 'The tool "echo" crashed: kaput.'],
    ["a string", "kaput", 'The tool "echo" crashed: kaput.'],
    ["a number", 42, 'The tool "echo" crashed: unknown error.'],
    ["undefined", undefined, 'The tool "echo" crashed: unknown error.'],
    ["a failure meant for the model", new ToolFailure("No such city."), "No such city."],
  ];
  it.each(thrown)("thrown %s", async (_what, value, text) => {
    const outcome = await run(() => {
      throw value;
    });
    expect(outcome).toMatchObject({ state: "error", isError: true, output: text, forUser: null });
  });

  it.each(thrown)("rejected with %s", async (_what, value, text) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- tools may reject with anything
    const outcome = await run(() => Promise.reject(value));
    expect(outcome).toMatchObject({ state: "error", isError: true, output: text });
  });

  const wrong: [what: string, value: unknown][] = [
    ["nothing", undefined],
    ["null", null],
    ["a string", "done"],
    ["a partial result", { forLlm: "done" }],
    ["a value that is no JSON", { ...toolResult("a"), value: 1n }],
    ["a value with a cycle", { ...toolResult("a"), value: circle() }],
  ];
  it.each(wrong)("returning %s", async (_what, value) => {
    const outcome = await run(() => Promise.resolve(value as ToolResult));
    expect(outcome).toMatchObject({ state: "error", isError: true });
    expect(outcome.output).toMatch(/^The tool "echo" crashed/);
  });

  it("a file system error, without the host's paths", async () => {
    const error = Object.assign(new Error("ENOENT: no such file, open '/srv/data/x'"), {
      code: "ENOENT",
      syscall: "open",
      path: "/srv/data/x",
    });
    const outcome = await run(() => Promise.reject(error));
    expect(outcome.output).toBe('The tool "echo" crashed: ENOENT.');
  });

  it("with the cause in the log, not in the outcome", async () => {
    const recorded = recordedDeps();
    const cause = new Error("stack of secrets");
    const outcome = await run(
      () => Promise.resolve(withError(errorResult("Not now."), cause)),
      recorded,
    );
    expect(outcome).toMatchObject({ state: "error", output: "Not now." });
    expect(JSON.stringify(outcome)).not.toContain("secrets");
    expect(recorded.logged).toMatchObject([{ level: "error", fields: { err: cause } }]);
  });

  it.each<[what: string, cause: unknown, text: string]>([
    ["an error's message", new Error("disk on fire"), "disk on fire"],
    ["the name of an error without message", new TypeError(""), "TypeError"],
    ["a thrown text", "disk on fire", "disk on fire"],
    ["a sentence for anything else", { secret: 1 }, "unknown error"],
  ])("which without a text of its own has %s", async (_what, cause, text) => {
    const outcome = await run(() => Promise.resolve(withError(errorResult(""), cause)));
    expect(outcome).toMatchObject({ state: "error", output: text });
  });

  it("unless it has succeeded: the cause is then only logged", async () => {
    const recorded = recordedDeps();
    const cause = new Error("slow disk");
    const outcome = await run(
      () => Promise.resolve(withError(toolResult("saved"), cause)),
      recorded,
    );
    expect(outcome).toMatchObject({ state: "completed", isError: false, output: "saved" });
    expect(recorded.logged).toMatchObject([{ level: "warn", fields: { err: cause } }]);
  });

  it("without an effect on the next call", async () => {
    const failing = echo(() => Promise.reject(new Error("kaput")));
    const working = { ...echo(() => Promise.resolve(toolResult("fine"))), name: "other" };
    const toolbox = await getToolbox(failing, working);
    const { deps } = recordedDeps();
    const outcomes = await Promise.all([
      runCall(call(), toolbox, deps),
      runCall(call({}, "other"), toolbox, deps),
    ]);
    expect(outcomes.map(({ output }) => output)).toEqual([
      'The tool "echo" crashed: kaput.',
      "fine",
    ]);
  });
});

describe("an abort", () => {
  it("that the tool rejects with is an interrupted call", async () => {
    const recorded = recordedDeps();
    const outcome = run(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
          recorded.abort();
        }),
      recorded,
    );
    expect(await outcome).toMatchObject({ state: "cancelled", isError: true });
  });

  it("keeps the result of a tool that had finished", async () => {
    const recorded = recordedDeps();
    const outcome = await run(() => {
      recorded.abort();
      return Promise.resolve(toolResult("wrote the file"));
    }, recorded);
    expect(outcome).toMatchObject({ state: "completed", output: "wrote the file" });
  });

  it("ends a tool that ignores it after a grace period", async () => {
    vi.useFakeTimers();
    try {
      const recorded = recordedDeps();
      const outcome = run(() => new Promise(() => undefined), recorded);
      recorded.abort();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await outcome).toMatchObject({ state: "cancelled", isError: true });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("before the call started reaches the tool, too", async () => {
    const recorded = recordedDeps();
    recorded.abort();
    const outcome = await run(({ signal }) => {
      signal.throwIfAborted();
      return Promise.resolve(toolResult("ran"));
    }, recorded);
    expect(outcome).toMatchObject({ state: "cancelled" });
  });
});

describe("the context", () => {
  const getContext = async (recorded: RecordedDeps): Promise<ToolContext> => {
    let seen: ToolContext | undefined;
    await run((context) => {
      seen = context;
      return Promise.resolve(toolResult("a"));
    }, recorded);
    if (!seen) throw new Error("the tool did not run");
    return seen;
  };

  it("is the call's own and cannot be changed", async () => {
    const context = await getContext(recordedDeps());
    expect(context).toMatchObject({ toolCallId: "call-1", userId: "user-1", channel: "web" });
    expect(() => Object.assign(context, { chatId: "other" })).toThrow(TypeError);
    expect(context).not.toHaveProperty("maxOutputBytes");
  });

  it("gives undefined for what is unset, never another call's value", async () => {
    const first = await getContext(recordedDeps({ step: { replyToMessageId: "m-1" } }));
    const second = await getContext(recordedDeps());
    expect(first.replyToMessageId).toBe("m-1");
    expect(second.replyToMessageId).toBeUndefined();
  });

  it("emits progress to the preview under the call's id until the call has its outcome", async () => {
    const recorded = recordedDeps();
    let late: ToolContext | undefined;
    await run((context) => {
      context.emit({ type: "append", phase: "thinking", text: "a" });
      context.emit({ type: "reset" });
      context.emit({ type: "append", text: `password: string, key: ${secret}` });
      late = context;
      return Promise.resolve(toolResult("a"));
    }, recorded);
    late?.emit({ type: "append", text: "too late" });
    expect(recorded.ops).toEqual([
      { op: "output-append", ...CALL, phase: "thinking", text: "a" },
      { op: "output-reset", ...CALL },
      { op: "output-append", ...CALL, text: "password: string, key: [redacted]" },
    ]);
  });

  it("saves artifacts under the call's id", async () => {
    const recorded = recordedDeps();
    const outcome = await run(async (context) => {
      const file = { name: "a.txt", mediaType: "text/plain", bytes: new Uint8Array([97]) };
      return artifactResult("made", [await recorded.deps.saveArtifact(context, file)]);
    }, recorded);
    expect(recorded.saved).toMatchObject([{ toolCallId: "call-1", name: "a.txt" }]);
    expect(outcome.artifacts).toMatchObject([{ name: "a.txt", size: 1 }]);
  });
});

describe("secrets", () => {
  it("leave both texts and the data", async () => {
    const result = { ...jsonResult({ key: [secret] }), forUser: `your key is ${secret}` };
    const outcome = await run(() => Promise.resolve(result));
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(outcome.output).toEqual({ key: ["[redacted]"] });
    expect(outcome.forUser).toBe("your key is [redacted]");
  });

  it("leave the names in data, and what several of its texts make", async () => {
    const lines = [
      "-----BEGIN PRIVATE KEY-----",
      "MIIa0+/A".repeat(8),
      "-----END PRIVATE KEY-----",
    ];
    const outcome = await run(() => Promise.resolve(jsonResult({ [secret]: 1, lines })));
    expect(outcome.output).toEqual({ "[redacted]": 1, lines: ["[redacted]"] });
  });

  it("leave the ends of a text that is too long to be kept whole, and of which only these are masked", async () => {
    const recorded = recordedDeps();
    const text = `${secret} ${"long ".repeat(4_000_000)} ${secret}`;
    const outcome = await run(() => Promise.resolve(toolResult(text)), recorded);
    expect(outcome.output).toMatch(
      /^\[redacted\] long .* bytes left out …\]\n.*long {2}\[redacted\]$/s,
    );
    expect(recorded.saved).toEqual([]);
  });

  it("leave the text of a cause or a crash", async () => {
    const failed = await run(() => Promise.resolve(withError(errorResult(""), new Error(secret))));
    const crashed = await run(() => Promise.reject(new Error(`401 for ${secret}`)));
    expect(`${JSON.stringify(failed)}${JSON.stringify(crashed)}`).not.toContain(secret);
  });

  it("leave the artifact of a long text", async () => {
    const recorded = recordedDeps();
    await run(() => Promise.resolve(toolResult(`${secret} ${"long ".repeat(2_000)}`)), recorded);
    expect(recorded.saved).toHaveLength(1);
    expect(Buffer.from(recorded.saved[0]?.bytes ?? []).toString()).not.toContain(secret);
  });
});

describe("a text over the budget", () => {
  const long = `${"head ".repeat(2_000)}${"tail ".repeat(2_000)}`;
  const huge = long.repeat(4);

  it("is truncated in the middle, and saved whole as an artifact", async () => {
    const onTruncated = vi.fn();
    const recorded = recordedDeps({ onTruncated });
    const outcome = await run(() => Promise.resolve(userResult(long)), recorded);
    const id = recorded.saved[0]?.id ?? "";
    expect(outcome.output).toMatch(
      new RegExp(`^head [^]*bytes left out; the whole is kept as artifact ${id}[^]*tail`),
    );
    expect(Buffer.from(recorded.saved[0]?.bytes ?? []).toString()).toBe(long);
    expect(outcome.artifacts).toMatchObject([{ id, name: "output.txt", media_type: "text/plain" }]);
    expect(Buffer.byteLength(JSON.stringify(outcome.output)) - 2).toBeLessThanOrEqual(4_096);
    expect(onTruncated).toHaveBeenCalledTimes(1);
  });

  it("is whole for the person up to 64 KB, and saved when it is longer", async () => {
    expect((await run(() => Promise.resolve(userResult(long)))).forUser).toBe(long);
    const recorded = recordedDeps();
    const result = { ...toolResult("short"), forUser: huge };
    const outcome = await run(() => Promise.resolve(result), recorded);
    expect(outcome.output).toBe("short");
    expect(Buffer.byteLength(outcome.forUser ?? "")).toBeLessThanOrEqual(64 * 1024);
    expect(outcome.forUser).toContain(`kept as artifact ${recorded.saved[0]?.id}`);
    expect(outcome.artifacts).toMatchObject([{ name: "result.md" }]);
  });

  it("is whole as data of up to 64 KB, and replaces data that is longer", async () => {
    const fits = await run(() => Promise.resolve(jsonResult({ long })));
    expect(fits).toMatchObject({ output: { long }, artifacts: null });
    const recorded = recordedDeps();
    const outcome = await run(() => Promise.resolve(jsonResult({ huge })), recorded);
    expect(outcome.output).toMatch(/^\{"huge":"head /);
    expect(recorded.saved).toMatchObject([{ name: "output.json" }]);
  });

  it("is truncated also when it cannot be saved", async () => {
    const recorded = recordedDeps({ saveArtifact: () => Promise.reject(new Error("disk full")) });
    const outcome = await run(() => Promise.resolve(toolResult(long)), recorded);
    expect(outcome).toMatchObject({ state: "completed", artifacts: null });
    expect(outcome.output).toMatch(/bytes left out …/);
    expect(recorded.logged).toMatchObject([{ level: "error" }]);
  });
});

it("text with a lone surrogate is made well-formed", async () => {
  const outcome = await run(() => Promise.resolve(toolResult("a\ud800b")));
  expect(outcome.output).toBe("a\ufffdb");
});

describe("files in a text", () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const url = `data:image/png;base64,${png.toString("base64")}`;

  it.each([
    ["a markdown image", `before ![plot](${url}) after`],
    ["a bare data URL", `before ${url} after`],
    [
      "a data URL with parameters",
      `before data:image/png;name="a.png";base64,${png.toString("base64")} after`,
    ],
  ])("as %s become artifacts", async (_what, text) => {
    const recorded = recordedDeps();
    const outcome = await run(() => Promise.resolve(toolResult(text)), recorded);
    const id = recorded.saved[0]?.id ?? "";
    expect(recorded.saved).toMatchObject([{ mediaType: "image/png", name: "file-1.png" }]);
    expect(Buffer.from(recorded.saved[0]?.bytes ?? [])).toEqual(png);
    expect(outcome.artifacts).toMatchObject([{ id, size: png.length }]);
    expect(outcome.output).toMatch(new RegExp(`^before \\[[^\\]]*${id}\\] after$`));
  });

  it("are looked for in the strings of data, not in its JSON", async () => {
    const recorded = recordedDeps();
    const data = { digits: "0123456789".repeat(2_000) };
    const outcome = await run(() => Promise.resolve(jsonResult(data)), recorded);
    expect(outcome).toMatchObject({ output: data, artifacts: null });
    expect(recorded.saved).toEqual([]);
  });

  it("are saved once when both texts have them", async () => {
    const recorded = recordedDeps();
    const outcome = await run(() => Promise.resolve(userResult(`${url} ${url}`)), recorded);
    expect(recorded.saved).toHaveLength(1);
    expect(outcome.artifacts).toHaveLength(1);
    expect(outcome.forUser).not.toContain("base64,");
  });

  it("are omitted when they cannot be saved", async () => {
    const recorded = recordedDeps({ saveArtifact: () => Promise.reject(new Error("disk full")) });
    const outcome = await run(() => Promise.resolve(toolResult(`see ${url}`)), recorded);
    expect(outcome).toMatchObject({
      output: "see [a file in this text was left out]",
      artifacts: null,
    });
  });

  it("as a whole text of base64 become one artifact", async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7919) % 251));
    const recorded = recordedDeps();
    await run(() => Promise.resolve(toolResult(bytes.toString("base64"))), recorded);
    expect(Buffer.from(recorded.saved[0]?.bytes ?? [])).toEqual(bytes);
  });

  it.each([
    ["a long word", "a".repeat(3_000)],
    ["prose", "The quick brown fox jumps over the lazy dog. ".repeat(60)],
    ["short base64", Buffer.from("x".repeat(300)).toString("base64")],
    ["a list of paths", "src/server/tools/workspace/workspace-files.ts\n".repeat(60)],
  ])("are not detected in %s", async (_what, text) => {
    const recorded = recordedDeps();
    const outcome = await run(() => Promise.resolve(toolResult(text)), recorded);
    expect(recorded.saved).toEqual([]);
    expect(outcome.output).toBe(text);
  });
});
