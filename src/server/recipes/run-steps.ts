import { join } from "node:path";
import * as z from "zod";
import type {
  CallContext,
  CommandResult,
  FetchedPage,
  RecipeEnv,
  StepResult,
} from "@/recipes/recipe";
import { PROXY_VARIABLES } from "@/server/exec/sandbox/proxy-variables";
import type { CommandLimits } from "@/server/exec/sandbox/limits";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { createCommandEnvironment } from "@/server/exec/command-environment";
import { splitPath } from "@/server/tools/workspace/workspace-path";
import { explainMissingProgram } from "@/server/exec/missing-program";
import { ToolFailure } from "@/server/tools/tool-result";
import type { CallDirectory } from "./call-directory";
import { type CallPlan, checkArgv, createArgv, toTemplateValues } from "./plan-call";
import { type ArgvResult, runArgv } from "./run-argv";
import { settleWithSignal } from "./settle-with-signal";

export type StepsContext = {
  /** What commands run in, or the sentence why they cannot. */
  sandbox: Sandbox | { unavailable: string };
  limits: CommandLimits;
  /** Runs a body that starts a command, when there is memory for one more. Rejects when the signal is aborted. */
  whenRoom: <Result>(body: () => Promise<Result>) => Promise<Result>;
  directory: CallDirectory;
  /** Returns the socket of the call's proxy, which begins with the first command; undefined without network. */
  openProxy: () => Promise<string | undefined>;
  signal: AbortSignal;
  onOutput: (bytes: Buffer) => void;
  call: CallContext;
  fetch: (
    url: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ) => Promise<FetchedPage>;
};

/** How the steps of a call have ended; terminal codes are kept. */
export type StepsResult = StepResult & {
  /** What each step that succeeded has put out, in order. */
  successes: string[];
};

/** What a last function may return. */
const Returned = z.object({ status: z.enum(["success", "error"]), output: z.string().default("") });

/** Runs the steps in order. Rejects with what the signal was aborted with, or what a function throws. */
export const runSteps = async (plan: CallPlan, context: StepsContext): Promise<StepsResult> => {
  const { steps, loaded } = plan;
  const { continueOnError = false } = loaded.recipe.opts ?? {};
  const run = createStepRunner(plan, context);
  const successes: string[] = [];
  let last: StepResult & { input: unknown } = { status: "success", output: "", input: undefined };
  for (const [index, step] of steps.entries()) {
    context.signal.throwIfAborted();
    const isLast = index === steps.length - 1;
    last = await (typeof step === "function"
      ? run.callFunction(step, { input: last.input, isLast })
      : run.command(step, isLast));
    if (last.status === "success") successes.push(last.output);
    else if (typeof step === "function" || !continueOnError) break;
  }
  return { status: last.status, output: last.output, successes };
};

type RunArgv = (argv: readonly string[]) => Promise<ArgvResult>;

/** What a step that is a function may use. */
const createFunctionTools = (
  { loaded: { recipe } }: CallPlan,
  { onOutput, fetch, signal, call, directory }: StepsContext,
  { run, env }: { run: RunArgv; env: RecipeEnv },
) => ({
  env,
  context: call,
  signal,
  resolvePath: (path: string) => {
    const { workspace } = directory.hostPlaces;
    return join(workspace, ...splitPath(path, workspace));
  },
  emit: (text: string) => onOutput(Buffer.from(text)),
  runCommand: async (argv: readonly string[]): Promise<CommandResult> => {
    checkArgv(argv);
    const { note, ...result } = await run(argv);
    return note === undefined ? result : { ...result, stderr: `${result.stderr}${note}\n` };
  },
  fetch: (url: string, { headers = {} }: { headers?: Record<string, string> } = {}) => {
    if (!recipe.opts?.network) {
      throw new ToolFailure("This recipe has no network: set opts.network.");
    }
    return fetch(url, headers, signal);
  },
});

const createStepRunner = (plan: CallPlan, context: StepsContext) => {
  const { directory, signal } = context;
  const env: RecipeEnv = Object.freeze({ ...plan.values, ...directory.hostPlaces });
  const inner = toTemplateValues(plan.values, directory.innerPlaces);
  let stderr = "";
  const run: RunArgv = async (argv) => {
    const { sandbox } = context;
    if ("unavailable" in sandbox) throw new ToolFailure(sandbox.unavailable);
    const home = directory.innerHome;
    const proxySocket = await context.openProxy();
    const added = proxySocket === undefined ? {} : PROXY_VARIABLES;
    const { limits, onOutput } = context;
    const env = createCommandEnvironment({ sandbox, home, pty: false, added });
    return context.whenRoom(() =>
      runArgv(sandbox, { argv, directory, limits, proxySocket, signal, onOutput, env }),
    );
  };
  const tools = createFunctionTools(plan, context, { run, env });
  return {
    command: async (step: readonly [string, ...string[]], isLast: boolean) => {
      const argv = createArgv(step, inner);
      const result = await run(argv);
      stderr += result.stderr;
      const { exitCode, stdout } = result;
      if (exitCode !== 0 || result.note !== undefined) {
        return {
          status: "error" as const,
          output: describeFailure(argv, result, stderr),
          input: stdout,
        };
      }
      const output = isLast && stdout.trim() === "" ? stderr : stdout;
      return { status: "success" as const, output, input: stdout };
    },
    callFunction: async (
      step: Extract<CallPlan["steps"][number], (...args: never[]) => unknown>,
      { input, isLast }: { input: unknown; isLast: boolean },
    ) => {
      const returned = await settleWithSignal(
        () => step(plan.request, { ...tools, input }),
        signal,
      );
      return toStepResult(returned, isLast);
    },
  };
};

const toStepResult = (returned: unknown, isLast: boolean) => {
  if (returned === undefined) return { status: "success" as const, output: "", input: undefined };
  const { data } = Returned.safeParse(returned);
  if (data) return { ...data, input: data.output };
  if (isLast) throw new ToolFailure("The last step returned no {status, output}.");
  const output = typeof returned === "string" ? returned : "";
  return { status: "success" as const, output, input: returned };
};

const describeFailure = (
  argv: readonly string[],
  { exitCode, stdout, note }: ArgvResult,
  stderr: string,
): string =>
  [
    `The command ${JSON.stringify(argv[0])} ended with exit code ${exitCode}.`,
    ...[note ?? "", stderr.trimEnd(), stdout.trimEnd(), explainMissingProgram(stderr) ?? ""].filter(
      (text) => text !== "",
    ),
  ].join("\n");
