import type { CallContext } from "@/recipes/recipe";
import { getErrorMessage } from "@/lib/error-message";
import type { CommandBudget, CommandRequest } from "@/server/exec/budget/command-budget";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { showLive } from "@/server/exec/live-output";
import { createOutputRing, type OutputRing } from "@/server/exec/output-ring";
import type { ToolContext } from "@/server/tools/tool-context";
import {
  CallCancelled,
  describeWritten,
  errorResult,
  ToolFailure,
  type ToolResult,
  withError,
} from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import type { Workspaces } from "@/server/tools/workspace/workspaces";
import { type CallDirectory, createCallDirectory } from "./call-directory";
import { type Deadline, startDeadline } from "./deadline";
import type { FetchPage, OpenProxy } from "./fetch-page";
import { toRunnable } from "./loaded-recipe";
import type { CallPlan } from "./plan-call";
import { renderOutput, renderPrompt } from "./render-output";
import { runSteps } from "./run-steps";
import { settleReport, settleWithSignal } from "./settle-with-signal";
import { stripTerminalCodes } from "@/server/exec/strip-terminal-codes";

export type RecipeDeps = {
  /** What commands run in, or the sentence why this process cannot run any. */
  sandbox: Sandbox | { unavailable: string };
  budget: CommandBudget;
  fetchPage: FetchPage;
  openProxy: OpenProxy;
  /** Undefined for calls outside of chats, which have no files of a chat. */
  openWorkspace: WorkspaceDeps["openWorkspace"] | undefined;
  /** Counts the private directory of a call to the limit of all workspaces. */
  openShare: Workspaces["openShare"];
};

/** What a call knows of where it runs. */
export type RecipeContext = Pick<ToolContext, "rootChatId" | "signal" | "emit" | "log"> & {
  /** What the functions of the recipe may know of it. */
  call: CallContext;
};

/** Output of a call that is kept for its timeout and for Stop: the end, in bytes. */
const KEPT_BYTES = 64 * 1024;

const DEFAULT_RECIPE_SECONDS = 60;

/**
 * Runs a planned call to its end, without `onExit`: then all its processes have ended, and what was private to it is
 * gone. Rejects only when the signal of the context was aborted.
 */
export const runRecipe = async (
  plan: CallPlan,
  context: RecipeContext,
  deps: RecipeDeps,
): Promise<ToolResult<string>> => {
  const { timeoutSeconds = DEFAULT_RECIPE_SECONDS } = plan.loaded.recipe.opts ?? {};
  const deadline = startDeadline(timeoutSeconds * 1_000);
  const signal = AbortSignal.any([context.signal, deadline.signal]);
  const written = createOutputRing(KEPT_BYTES);
  try {
    const own = { ...context, signal, deadline, onOutput: written.write };
    const running = runPlan(plan, own, deps);
    const result = await running.catch(async (error: unknown) => {
      if (context.signal.aborted) throw await toCancelled(plan, context, readText(written));
      if (!deadline.signal.aborted) return toFailure(plan, error);
      const message = `Timed out: the call took longer than ${timeoutSeconds} seconds.`;
      return toTimedOut(plan, `${message}\n${describeWritten(readText(written))}`.trimEnd());
    });
    return hideOutput(plan, result);
  } finally {
    deadline.clear();
  }
};

type PlanContext = RecipeContext & { deadline: Deadline; onOutput: (bytes: Buffer) => void };

const runPlan = async (
  plan: CallPlan,
  context: PlanContext,
  deps: RecipeDeps,
): Promise<ToolResult<string>> => {
  if (plan.failure) throw plan.failure;
  const { sandbox } = deps;
  const directory = await openDirectory(plan, context, deps);
  const live = createLiveOutput(plan, context);
  const network = createNetwork(plan, { sandbox, directory, openProxy: deps.openProxy });
  const { signal, call } = context;
  const onOutput = (bytes: Buffer): void => {
    context.onOutput(bytes);
    live.write(bytes);
  };
  try {
    const env = Object.freeze({ ...plan.values, ...directory.hostPlaces });
    const { preCmd } = toRunnable(plan.loaded);
    await settleWithSignal(() => preCmd?.(env, plan.request, { context: call }), signal);
    const fetch = deps.fetchPage;
    const { openProxy } = network;
    const { limits } = deps.budget;
    const whenRoom = createAdmission(context, deps);
    const steps = {
      sandbox,
      directory,
      limits,
      whenRoom,
      openProxy,
      signal,
      onOutput,
      fetch,
      call,
    };
    const result = await runSteps(plan, steps);
    return await settleWithSignal(() => renderOutput(plan, result), signal);
  } finally {
    live.stop();
    await network.close();
    await directory.remove();
  }
};

/** A call whose command waits for those of others gets its whole time when that has started. */
const createAdmission =
  ({ call, rootChatId, signal, emit, deadline }: PlanContext, { budget }: RecipeDeps) =>
  async <Result>(body: () => Promise<Result>): Promise<Result> => {
    const resume = deadline.pause();
    const request: CommandRequest = {
      owner: { userId: call.userId, chatId: rootChatId },
      isLasting: false,
      signal,
      onWait: (notice) => emit({ type: "append", text: `${notice}\n` }),
    };
    const start = (): Promise<Result> => {
      resume();
      return body();
    };
    return budget.run(request, start).finally(resume);
  };

const openDirectory = async (
  { loaded }: CallPlan,
  { rootChatId }: RecipeContext,
  { sandbox, openWorkspace, openShare }: RecipeDeps,
): Promise<CallDirectory> => {
  const isOfChat = loaded.recipe.opts?.workspace === "chat" && openWorkspace !== undefined;
  return createCallDirectory({
    sandbox: "unavailable" in sandbox ? undefined : sandbox,
    openShare,
    chatWorkspace: isOfChat ? await openWorkspace({ rootChatId }).enter("") : undefined,
  });
};

type NetworkOptions = Pick<RecipeDeps, "sandbox" | "openProxy"> & {
  directory: CallDirectory;
};

/** Starts a proxy for the commands of a recipe with network. Without a sandbox they have that of the server. */
const createNetwork = ({ loaded }: CallPlan, { sandbox, directory, openProxy }: NetworkOptions) => {
  const isIsolated = "kind" in sandbox && sandbox.kind !== "none";
  let opened: ReturnType<OpenProxy> | undefined;
  return {
    openProxy: async (): Promise<string | undefined> => {
      if (!isIsolated || loaded.recipe.opts?.network !== true) return undefined;
      await (opened ??= openProxy(directory.proxySocket));
      return directory.proxySocket;
    },
    close: async (): Promise<void> => {
      const proxy = await opened?.catch(() => undefined);
      await proxy?.close();
    },
  };
};

/** Shows output while it comes, unless the recipe hides it. */
const createLiveOutput = ({ loaded }: CallPlan, { emit }: RecipeContext) => {
  if (loaded.recipe.opts?.hideOutput === true) {
    return { write: () => undefined, stop: () => undefined };
  }
  let listener: ((bytes: Buffer) => void) | undefined;
  const subscribe = (onBytes: (bytes: Buffer) => void): (() => void) => {
    listener = onBytes;
    return () => (listener = undefined);
  };
  const stop = showLive({ command: { screen: undefined, subscribe }, emit });
  return { write: (bytes: Buffer) => listener?.(bytes), stop };
};

const readText = (written: OutputRing): string =>
  written.readNew({ isComplete: true }).bytes.toString();

/** Renders a failure for the model: without terminal codes, and by the text that the recipe has for it. */
const renderFailure = (plan: CallPlan, message: string): Promise<string> => {
  const { outputErrorPrompt, output } = plan.loaded.recipe;
  const plain = stripTerminalCodes(message);
  return settleReport(() => renderPrompt(plan, output?.error ?? outputErrorPrompt, plain)).catch(
    () => plain,
  );
};

const toFailure = async (plan: CallPlan, error: unknown): Promise<ToolResult<string>> => {
  const message =
    error instanceof ToolFailure ? error.message : `The recipe failed: ${getErrorMessage(error)}`;
  const result = errorResult(await renderFailure(plan, message));
  return error instanceof ToolFailure ? result : withError(result, error);
};

const toTimedOut = async (plan: CallPlan, message: string): Promise<ToolResult<string>> => {
  const text = await renderFailure(plan, message);
  return { ...errorResult(text), ...(text !== message && { forUser: message }) };
};

const toCancelled = async (
  plan: CallPlan,
  { log }: RecipeContext,
  written: string,
): Promise<CallCancelled> => {
  const { output, opts } = plan.loaded.recipe;
  const silent = opts?.hideOutput === true;
  const plain = stripTerminalCodes(written);
  if (output?.cancelled === undefined) return new CallCancelled(describeWritten(plain), silent);
  try {
    const text = await settleReport(() => renderPrompt(plan, output.cancelled, plain));
    return new CallCancelled(text, silent);
  } catch (error) {
    log.error({ err: error, recipe: plan.loaded.name }, "output.cancelled of a recipe failed");
    return new CallCancelled(describeWritten(plain), silent);
  }
};

const hideOutput = (
  { loaded }: CallPlan,
  { forUser, ...result }: ToolResult<string>,
): ToolResult<string> => {
  if (loaded.recipe.opts?.hideOutput === true) return { ...result, silent: true };
  return forUser === undefined ? result : { ...result, forUser };
};
