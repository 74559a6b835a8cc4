import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import type { CallContext, Recipe, RecipeStep } from "@/recipes/recipe";
import { findProcesses, findTestSandbox } from "@/test/exec-fixture";
import { HANGING } from "@/test/hanging";
import { createRecipeCaller, recipe, requireRecipe } from "@/test/recipe-fixture";
import { createTestBudget } from "@/test/test-budget";
import { recordedDeps } from "@/test/tool-fixture";
import { runTool } from "@/server/tools/run-tool";

let caller: ReturnType<typeof createRecipeCaller>;
beforeAll(async () => {
  caller = createRecipeCaller(await findTestSandbox());
});

const listCallDirectories = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`parley-call-${process.pid}-`));

/** A recipe that records the order in which its parts run. */
const traced = (steps: Recipe["steps"], changes: Partial<Recipe> = {}) => {
  const trace: string[] = [];
  const add = (name: string) => () => void trace.push(name);
  const declared = recipe({
    steps,
    env: () => (trace.push("env"), {}),
    preCmd: add("preCmd"),
    handlers: { setup: add("setup"), onExit: add("exit") },
    output: {
      success: (output) => (trace.push("success"), output),
      error: (output) => (trace.push("error"), output),
      rejected: (reason) => (trace.push("rejected"), `Rejected: ${reason}`),
      cancelled: () => (trace.push("cancelled"), "The recipe was stopped."),
    },
    ...changes,
  });
  return { declared, order: () => trace.join("→"), add: (name: string) => void trace.push(name) };
};

describe("the order of a recipe", () => {
  it("is setup→env→preCmd→step→success→exit", async () => {
    const { declared, order, add } = traced([() => void add("step")]);
    expect(await caller.run(declared)).toMatchObject({ state: "completed" });
    expect(order()).toBe("setup→env→preCmd→step→success→exit");
  });

  it("ends a call whose function throws", async () => {
    const { declared, order, add } = traced([
      () => {
        add("step");
        throw new Error("no disk");
      },
      () => void add("next"),
    ]);
    expect(await caller.run(declared)).toMatchObject({
      state: "error",
      output: expect.stringContaining("no disk") as string,
    });
    expect(order()).toBe("setup→env→preCmd→step→error→exit");
  });

  it("ends a call whose function returns an error", async () => {
    const { declared, order, add } = traced([
      () => (add("step"), { status: "error", output: "not today" }),
      () => void add("next"),
    ]);
    expect(await caller.run(declared)).toMatchObject({ state: "error", output: "not today" });
    expect(order()).toBe("setup→env→preCmd→step→error→exit");
  });

  it("has 128 + signal as the exit code of a command that a signal ended", async () => {
    const { declared } = traced([["sh", "-c", "kill -TERM $$"]]);
    expect((await caller.run(declared)).output).toContain("ended with exit code 143.");
  });

  it("ends a call whose command fails, and keeps what was written", async () => {
    const { declared, order, add } = traced([
      ["sh", "-c", "echo out; echo wrong >&2; exit 3"],
      () => void add("next"),
    ]);
    const { state, output } = await caller.run(declared);
    expect(state).toBe("error");
    expect(output).toBe('The command "sh" ended with exit code 3.\nwrong\nout');
    expect(order()).toBe("setup→env→preCmd→error→exit");
  });

  it.each([[["bunx", "tool"]], [["sh", "-c", "bunx tool"]]])(
    "names the setting where %j does not find a program of the host",
    async (step) => {
      const { output } = await caller.run(recipe({ steps: [step as [string, ...string[]]] }));
      expect(output).toMatch(/a program bunx\..*PARLEY_EXEC_PATHS/);
    },
  );

  it("ends a call whose preCmd throws before its first step, also without env", async () => {
    const trace: string[] = [];
    const declared = recipe({
      steps: [() => void trace.push("step")],
      preCmd: () => {
        throw new Error("disk full");
      },
      handlers: { onExit: () => void trace.push("exit") },
    });
    expect(await caller.run(declared)).toMatchObject({
      state: "error",
      output: "The recipe failed: disk full",
    });
    expect(trace).toEqual(["exit"]);
  });

  it("ends a call at Stop: no later step starts, and its processes are gone", async () => {
    const sleep = `4${process.pid}.25`;
    const recorded = recordedDeps();
    const { declared, order, add } = traced([
      ["sh", "-c", `echo begun; setsid sleep ${sleep} & sleep ${sleep}`],
      () => void add("next"),
    ]);
    const running = caller.run(declared, { recorded });
    await expect.poll(() => recorded.ops.length).toBeGreaterThan(0);
    recorded.abort("interrupted");
    expect(await running).toMatchObject({
      state: "cancelled",
      output: expect.stringContaining("The recipe was stopped.") as string,
    });
    expect(order()).toBe("setup→env→preCmd→cancelled→exit");
    expect(findProcesses(sleep)).toEqual([]);
    await expect.poll(listCallDirectories).toEqual([]);
  });

  it("gives a call its whole time when its command has waited for memory, and shows that", async () => {
    const budget = createTestBudget(1);
    const waiting = createRecipeCaller(await findTestSandbox(), { budget });
    const running = recordedDeps();
    const first = waiting.run(recipe({ steps: [["sh", "-c", "echo begun; sleep 2.5"]] }), {
      recorded: running,
    });
    await expect.poll(() => JSON.stringify(running.ops)).toContain("begun");
    const recorded = recordedDeps();
    const opts = { timeoutSeconds: 2 };
    const { output, isError } = await waiting.run(
      recipe({ opts, steps: [["sh", "-c", "sleep 0.1; echo done"]] }),
      { recorded },
    );
    expect(isError).toBe(false);
    expect(output).toContain("done");
    expect(JSON.stringify(recorded.ops)).toContain("Waiting to start: another command is running");
    expect(JSON.stringify(output)).not.toContain("Waiting");
    expect((await first).isError).toBe(false);
  });

  it("holds no memory between its commands, and none after it was stopped while it waited", async () => {
    const budget = createTestBudget(1);
    const sandbox = await findTestSandbox();
    const own = createRecipeCaller(sandbox, { budget });
    const runTwo: Recipe["steps"] = [
      async (_, { runCommand }) => {
        await Promise.all([runCommand(["true"]), runCommand(["true"])]);
        return { status: "success" };
      },
    ];
    expect((await own.run(recipe({ steps: runTwo }))).isError).toBe(false);
    const [holding, holder] = [`${870_000 + process.pid}`, recordedDeps()];
    const held = own.run(recipe({ steps: [["sleep", holding]] }), { recorded: holder });
    await vi.waitFor(() => expect(findProcesses(`sleep ${holding}`)).not.toEqual([]), HANGING);
    const recorded = recordedDeps();
    const stopped = own.run(recipe({}), { recorded });
    await vi.waitFor(() => expect(JSON.stringify(recorded.ops)).toContain("Waiting"), HANGING);
    recorded.abort();
    expect((await stopped).state).toBe("cancelled");
    holder.abort();
    await held;
    expect((await own.run(recipe({}))).isError).toBe(false);
  });

  it("ends a call at its timeout, even if a function does not look at its signal", async () => {
    // The time passes when the function runs, however long that takes on a busy machine.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const step = () => {
      add("step");
      vi.advanceTimersByTime(50);
      return new Promise<never>(() => undefined);
    };
    const { declared, order, add } = traced([step], { opts: { timeoutSeconds: 0.05 } });
    expect(await caller.run(declared)).toMatchObject({
      state: "error",
      output: "Timed out: the call took longer than 0.05 seconds.",
    });
    expect(order()).toBe("setup→env→preCmd→step→error→exit");
  });

  it.each<[what: string, steps: Recipe["steps"]]>([
    ["a command", [["sh", "-c", "printf '\\033[32mhalf\\033[0m'; echo ' done' >&2; sleep 999"]]],
    [
      "a function that emits, and a command before it",
      [
        ["printf", "\u001b[32mhalf\u001b[0m"],
        async (_request, { emit, signal }) => {
          emit(" done\n");
          await once(signal, "abort");
        },
      ],
    ],
  ])("keeps at its timeout and at Stop what was written by %s", async (_what, steps) => {
    const fields = {
      steps,
      outputErrorPrompt: "It failed: ${output}",
      output: { cancelled: "Stopped after: ${output}" },
    };
    const timedOut = await caller.run(recipe({ ...fields, opts: { timeoutSeconds: 5 } }));
    const message = "Timed out: the call took longer than 5 seconds.\nUntil then it had written:\n";
    expect(timedOut).toMatchObject({
      state: "error",
      output: `It failed: ${message}half done`,
      forUser: `${message}\u001b[32mhalf\u001b[0m done`,
    });
    const stop = async (changes: Partial<Recipe>) => {
      const recorded = recordedDeps();
      const running = caller.run(recipe({ ...fields, ...changes }), { recorded });
      await expect.poll(() => JSON.stringify(recorded.ops)).toContain("done");
      recorded.abort("interrupted");
      return running;
    };
    expect((await stop({})).output).toMatch(/^Interrupted: .*\nStopped after: half done\n$/);
    expect((await stop({ output: {} })).output).toMatch(
      /^Interrupted: .*\nUntil then it had written:\nhalf done\n$/,
    );
  });

  it("keeps it for the model only if the recipe hides its output", async () => {
    const recorded = recordedDeps();
    const begun = Promise.withResolvers<undefined>();
    const step: RecipeStep<unknown> = async (_request, { emit, signal }) => {
      emit("a text");
      begun.resolve(undefined);
      await once(signal, "abort");
    };
    const running = caller.run(recipe({ steps: [step], opts: { hideOutput: true } }), { recorded });
    await begun.promise;
    recorded.abort("interrupted");
    expect(await running).toMatchObject({
      output: expect.stringContaining("a text") as string,
      silent: true,
      forUser: null,
    });
  });

  it("runs no step of a call that is rejected", async () => {
    const { declared, order } = traced([["true"]], { opts: { needsApproval: true } });
    const loaded = await requireRecipe(declared);
    const { tool, toolCallId, call, recorded } = await caller.prepare(loaded);
    expect(call).toMatchObject({ type: "run", needsApproval: true });
    const rejected = {
      chatId: recorded.deps.step.chatId,
      toolCallId,
      args: {},
      reason: "too late",
    };
    expect(await tool.renderRejection?.(rejected)).toBe("Rejected: too late");
    await caller.exit({ toolCallId, recorded }, loaded);
    expect(order()).toBe("setup→env→rejected→exit");
  });

  it("goes on where it waited for an approval, without a second setup", async () => {
    const { declared, order, add } = traced([() => void add("step")], {
      opts: { needsApproval: true },
    });
    const loaded = await requireRecipe(declared);
    const { toolCallId, recorded } = await caller.prepare(loaded);
    const resumed = await caller.prepare(loaded, { approved: true, recorded }, toolCallId);
    await runTool(toolCallId, resumed.call, recorded.deps);
    await caller.exit({ toolCallId, recorded }, loaded);
    expect(order()).toBe("setup→env→preCmd→step→success→exit");
  });

  it("has setup add steps from the request", async () => {
    const declared = recipe({
      steps: [() => "a"],
      handlers: {
        setup: (_request, { addStep }) => {
          addStep((_, { input }) => ({ status: "success", output: `${String(input)}b` }));
        },
      },
    });
    expect(await caller.run(declared)).toMatchObject({ state: "completed", output: "ab" });
  });
});

describe("steps of a recipe", () => {
  it("get the output of the step before; of a command, its stdout", async () => {
    const declared = recipe({
      steps: [
        ["sh", "-c", "printf one; echo noise >&2"],
        (_request, { input }) => `${String(input)} two`,
        (_request, { input }) => ({ status: "success", output: `${String(input)} three` }),
      ],
    });
    expect(await caller.run(declared)).toMatchObject({ output: "one two three" });
  });

  it("put out the stdout of the last command; without one, the stderr of all", async () => {
    const first = ["sh", "-c", "echo a; echo x >&2"] as const;
    const both = recipe({ steps: [first, ["sh", "-c", "echo b; echo y >&2"]] });
    expect(await caller.run(both)).toMatchObject({ output: "b\n" });
    const silent = recipe({ steps: [first, ["sh", "-c", "echo y >&2"]] });
    expect(await caller.run(silent)).toMatchObject({ output: "x\ny\n" });
  });

  it("go on after a failure only if the recipe says so", async () => {
    const steps: Recipe["steps"] = [["false"], ["echo", "next"]];
    expect(await caller.run(recipe({ steps }))).toMatchObject({ state: "error" });
    const lenient = recipe({ steps, opts: { continueOnError: true } });
    expect(await caller.run(lenient)).toMatchObject({ state: "completed", output: "next\n" });
  });

  it("may run commands by a function, with final arguments", async () => {
    const declared = recipe({
      steps: [
        async (_request, { runCommand }) => {
          const { exitCode, stdout, stderr } = await runCommand([
            "sh",
            "-c",
            'echo "$0"; exit 4',
            "${x}",
          ]);
          return { status: "success", output: `${exitCode} ${stdout}${stderr}` };
        },
      ],
    });
    expect(await caller.run(declared)).toMatchObject({ output: "4 ${x}\n" });
  });

  it("have no network and nothing of the host but their own directories", async () => {
    const declared = recipe({
      steps: [["sh", "-c", "ls /; grep -c : /proc/net/dev; ls -A ${workspace} ${temp_dir}"]],
    });
    const { output } = await caller.run(declared);
    expect(output).toContain("call\n");
    expect(output).not.toContain("root\n");
    expect(output).toContain("\n1\n/call:\n\n/workspace:\n");
  });

  it("share the directories of their call, whose files preCmd can write", async () => {
    let seen = "";
    const declared = recipe({
      preCmd: (env) => writeFile(env.temp_file, "from the server"),
      steps: [
        ["sh", "-c", "cat ${temp_file}; echo more >${temp_dir}/more; echo w >${workspace}/w"],
        ["sh", "-c", "cat ${temp_dir}/more ${workspace}/w"],
        async (_request, { env }) => {
          seen = await readFile(`${env.temp_dir}/more`, "utf8");
        },
      ],
    });
    expect(await caller.run(declared)).toMatchObject({ state: "completed", output: "" });
    expect(seen).toBe("more\n");
    expect(listCallDirectories()).toEqual([]);
  });

  it("leave nothing behind, whatever the end of the call is", async () => {
    const ends: Recipe["steps"][] = [
      [["sh", "-c", "mkdir -p ${temp_dir}/a/b; chmod 0 ${temp_dir}/a; exit 1"]],
      [["no-such-program"]],
      [() => Promise.reject(new Error("x"))],
    ];
    for (const steps of ends) {
      expect(await caller.run(recipe({ steps }))).toMatchObject({ state: "error" });
      expect(listCallDirectories()).toEqual([]);
    }
  });
});

describe("the arguments of commands", () => {
  const show: Recipe<{ values: string[] }> = {
    name: "show",
    description: "Shows its arguments",
    parameters: z.object({ values: z.array(z.string()) }),
    example: { values: [] },
    handlers: {
      setup: ({ values }, { addStep }) =>
        addStep([
          "perl",
          "-e",
          'print map { pack("N/a*", $_) } @ARGV',
          "--",
          ...values.map((_, index) => `\${v${index}}`),
        ] as [string, ...string[]]),
    },
    env: ({ values }) => Object.fromEntries(values.map((value, index) => [`v${index}`, value])),
    steps: [],
    outputPrompt: (output) => output,
  };

  it("are the values, whatever they contain", async () => {
    const loaded = await requireRecipe(show);
    const hostile = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "$&",
        "$1",
        "$$",
        "%s",
        "%1",
        "${v0}",
        "${x}",
        "$(id)",
        "`id`",
        "'",
        '"',
        "\n",
        "\\",
        " ",
        "",
      ),
    );
    const values = fc.array(
      hostile.filter((text) => !text.includes("\0")),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(values, async (list) => {
        const { call } = await caller.prepare(loaded, { args: { values: list } });
        const scope = call.type === "run" ? call.approvalScope : undefined;
        expect(scope).toMatchObject({
          commands: [["perl", "-e", expect.anything(), "--", ...list]],
        });
      }),
      { numRuns: 200 },
    );
  });

  it("reach the program as they are", async () => {
    const values = ["$&", "${v1}", "a b", "'", '"', "\n", "%s", "$(id)", "é", "\\", ""];
    const out = recipe<{ values: string[] }>({
      ...show,
      env: () => Object.fromEntries(values.map((value, index) => [`v${index}`, value])),
      handlers: {},
      example: { values: [] },
      steps: [
        [
          "perl",
          "-e",
          'print join("|", map { unpack("H*", $_) } @ARGV)',
          "--",
          ...values.map((_, index) => `\${v${index}}`),
        ] as [string, ...string[]],
      ],
    });
    const expected = values.map((value) => Buffer.from(value).toString("hex")).join("|");
    expect(await caller.run(out, { args: { values: [] } })).toMatchObject({ output: expected });
  });

  it.each([
    ["an unknown name", ["echo", "${nope}"], "There is no value for ${nope}."],
    ["a name of every object", ["echo", "${constructor}"], "There is no value for ${constructor}."],
    ["a NUL character", ["echo", "${nul}"], "A command must not contain NUL characters."],
    ["no program", ["${empty}"], "A command of the recipe names no program."],
    [
      "an argument that Linux does not take",
      ["echo", "${long}"],
      "An argument of a command is over 131071 bytes.",
    ],
  ])("are refused before any step with %s", async (_what, argv, message) => {
    const trace: string[] = [];
    const declared = recipe({
      env: () => ({ nul: "a\0b", empty: "", long: "x".repeat(140_000) }),
      preCmd: () => void trace.push("preCmd"),
      steps: [() => void trace.push("step"), argv as [string, ...string[]]],
      handlers: { onExit: () => void trace.push("exit") },
    });
    expect(await caller.run(declared)).toMatchObject({ state: "error", output: message });
    expect(trace).toEqual(["exit"]);
  });
});

describe("what functions know of their call", () => {
  it("is its chat, user, message, labels, channel and level", async () => {
    const seen: CallContext[] = [];
    const declared = recipe({
      preCmd: (_env, _request, { context }) => void seen.push(context),
      steps: [(_request, { context }) => void seen.push(context)],
    });
    const step = {
      agentLevel: "child",
      labels: { team: "red" },
      channel: "api",
      replyToMessageId: "question",
    } as const;
    const recorded = recordedDeps({ step });
    await caller.run(declared, { recorded });
    const { chatId, rootChatId, userId, turnId, messageId } = recorded.deps.step;
    const toolCallId = expect.any(String) as string;
    const context = { chatId, rootChatId, userId, turnId, messageId, toolCallId, ...step };
    expect(seen).toEqual([context, context]);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  it("is where a path of the workspace is, as models write it", async () => {
    const paths: string[] = [];
    const declared = recipe({
      steps: [
        (_request, { resolvePath, env }) => {
          for (const name of ["a/b", "/workspace/a/b", `${env.workspace}/a/b`]) {
            paths.push(resolvePath(name).replace(env.workspace, ""));
          }
          resolvePath("/workspace/../x");
        },
      ],
    });
    expect((await caller.run(declared)).output).toContain('contains ".."');
    expect(paths).toEqual(["/a/b", "/a/b", "/a/b"]);
  });
});

describe("what is read and shown", () => {
  const red = "\u001b[31mred\u001b[0m";

  it("has no terminal codes for the model, and keeps them for the person", async () => {
    const declared = recipe({ steps: [["printf", red]], outputPrompt: "It says:\n${output}" });
    expect(await caller.run(declared)).toMatchObject({ output: "It says:\nred", forUser: red });
  });

  it("is one text per step where the recipe has one", async () => {
    const declared = recipe({
      steps: [() => "one", () => ({ status: "success", output: "two" })],
      output: { success: (output) => `<${output}>` },
    });
    expect(await caller.run(declared)).toMatchObject({ output: "<one>\n\n<two>" });
  });

  it("is hidden from the person if the recipe says so, live too", async () => {
    const recorded = recordedDeps();
    const declared = recipe({ steps: [["echo", "secret"]], opts: { hideOutput: true } });
    const outcome = await caller.run(declared, { recorded });
    expect(outcome).toMatchObject({ output: "secret\n", silent: true, forUser: null });
    expect(recorded.ops).toEqual([]);
  });

  it("is an error where a function returns neither nothing nor a result", async () => {
    const declared = recipe({ steps: [() => 42] });
    expect(await caller.run(declared)).toMatchObject({
      state: "error",
      output: "The last step returned no {status, output}.",
    });
  });
});

describe("approvals of a recipe", () => {
  const declared = recipe<{ file: string }>({
    parameters: z.object({ file: z.string() }),
    example: { file: "a" },
    env: ({ file }) => ({ file }),
    steps: [["rm", "--", "${file}"]],
    opts: { needsApproval: ({ file }, argv) => file !== "safe" && argv[0]?.[0] === "rm" },
  });

  it("are asked by request and argv, and show the final argv", async () => {
    const loaded = await requireRecipe(declared);
    const { call } = await caller.prepare(loaded, { args: { file: "a b" } });
    expect(call).toMatchObject({
      needsApproval: true,
      approvalScope: { commands: [["rm", "--", "a b"]] },
    });
    const safe = await caller.prepare(loaded, { args: { file: "safe" } });
    expect(safe.call).toMatchObject({ needsApproval: false });
  });

  it("cover the arguments too where functions use them", async () => {
    const loaded = await requireRecipe({ ...declared, preCmd: () => undefined });
    const { call } = await caller.prepare(loaded, { args: { file: "a" } });
    expect(call).toMatchObject({
      approvalScope: { commands: [["rm", "--", "a"]], arguments: { file: "a" } },
    });
  });

  it("hold for what was approved: a recipe that was changed meanwhile does not run", async () => {
    const changed = await requireRecipe({ ...declared, steps: [["rm", "-r", "--", "${file}"]] });
    const approvalScope = { commands: [["rm", "--", "a"]] };
    const { call } = await caller.prepare(changed, {
      args: { file: "a" },
      approved: true,
      approvalScope,
    });
    expect(call).toMatchObject({
      type: "refused",
      outcome: { output: expect.stringContaining("has changed since") as string },
    });
  });
});
