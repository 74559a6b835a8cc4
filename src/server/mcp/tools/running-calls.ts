import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { JsonValue } from "@/contract/json";
import type { ToolContext } from "@/server/tools/tool-context";
import { type CallTimer, createCallTimer } from "./call-timer";
import { findElicitationProblem } from "@/server/mcp/questions/elicitation-problem";
import { loadSdk } from "@/server/mcp/load-sdk";

/** Who a server may ask in the middle of a call. */
export type CallAsker = Pick<ToolContext, "chatId" | "elicit">;

type RunningCall = CallAsker & {
  signal: AbortSignal;
  timer: CallTimer;
  /** Questions that wait for their answers. */
  open: number;
  /** Questions that there were. */
  questionCount: number;
};

type RunOptions = { asker: CallAsker; signal: AbortSignal; timeoutMs: number };

/** More than a person answers for one call. */
const MAX_QUESTIONS = 50;

/** How long an answer waits for calls of other chats: a question that comes after it is refused while they run. */
const MAX_ANSWER_DELAY_MS = 5_000;

/**
 * The calls that run on a connection, and the questions of its server. A question does not name its call, so that it can
 * be asked only where all calls that it may belong to are of one chat.
 */
export const createRunningCalls = ({ maxAnswerDelayMs = MAX_ANSWER_DELAY_MS } = {}) => {
  const calls = new Set<RunningCall>();
  const gate = createGate(calls);
  let reads = 0;
  return {
    /** Sends another request, during which the server cannot ask questions. Rejects as `send` does. */
    read: async <Result>(send: () => Promise<Result>): Promise<Result> => {
      reads += 1;
      try {
        return await send();
      } finally {
        reads -= 1;
      }
    },
    /**
     * Sends a call, after those of other chats where it has to wait for them, and waits for its end. The time for answering
     * questions does not count. Rejects as `send` does, or with the reason of the signal.
     */
    run: async <Result>(
      { asker, signal, timeoutMs }: RunOptions,
      send: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> => {
      const { timer, timeout } = createTimeLimit(timeoutMs);
      const { chatId, elicit } = asker;
      const call = { chatId, elicit, signal, timer, open: 0, questionCount: 0 };
      const ended = AbortSignal.any([signal, timeout]);
      timer.start();
      try {
        await gate.pass(chatId, { signal: ended, enter: () => calls.add(call) });
        ended.throwIfAborted();
        return await send(ended);
      } finally {
        timer.pause();
        calls.delete(call);
        gate.update();
      }
    },
    /** Answers a question of the server. Rejects with the error for it. */
    ask: async (params: ElicitRequestParams, withdrawn: AbortSignal): Promise<ElicitResult> => {
      const elicitation = toElicitation(params);
      gate.close();
      if (reads > 0) throw refusal("Something is read, so that it is not known whom to ask.");
      const call = findQuestionedCall([...calls]);
      call.questionCount += 1;
      call.open += 1;
      call.timer.pause();
      gate.update();
      const goOn = (): void => {
        call.open -= 1;
        if (call.open === 0 && calls.has(call)) call.timer.start();
        gate.update();
      };
      const answer = await call.elicit(elicitation, withdrawn).catch((error: unknown) => {
        goOn();
        throw error;
      });
      const cancelled = AbortSignal.any([withdrawn, call.signal]);
      const late = AbortSignal.timeout(maxAnswerDelayMs);
      // It may ask again, as soon as its server has the answer.
      await gate.pass(call.chatId, { signal: AbortSignal.any([cancelled, late]), enter: goOn });
      if (cancelled.aborted) throw refusal("The call was cancelled.");
      return answer;
    },
  };
};

const createTimeLimit = (timeoutMs: number) => {
  const controller = new AbortController();
  const { SdkError, SdkErrorCode } = loadSdk();
  const timer = createCallTimer(timeoutMs, () =>
    controller.abort(new SdkError(SdkErrorCode.RequestTimeout, "Request timed out")),
  );
  return { timer, timeout: controller.signal };
};

/** Keeps calls of different chats apart that may ask, from the first question of the server on. */
const createGate = (calls: ReadonlySet<RunningCall>) => {
  let isClosed = false;
  let changed = Promise.withResolvers<undefined>();
  /** A call with an open question waits for its answer, and asks nothing more meanwhile. */
  const hasOthers = (chatId: string): boolean =>
    [...calls].some((call) => call.chatId !== chatId && call.open === 0);
  return {
    close: (): void => {
      isClosed = true;
    },
    /** Call it after each change of the calls. */
    update: (): void => {
      changed.resolve(undefined);
      changed = Promise.withResolvers();
    },
    /** Calls `enter` when no call of another chat may ask, or when the signal is aborted. */
    pass: async (
      chatId: string,
      { signal, enter }: { signal: AbortSignal; enter: () => void },
    ): Promise<void> => {
      const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
      const onAbort = (): void => resolve(undefined);
      signal.addEventListener("abort", onAbort, { once: true });
      while (isClosed && hasOthers(chatId) && !signal.aborted) {
        await Promise.race([changed.promise, aborted]);
      }
      signal.removeEventListener("abort", onAbort);
      enter();
    },
  };
};

/** @throws {ProtocolError} when no call of the server can ask. */
const findQuestionedCall = (calls: readonly RunningCall[]): RunningCall => {
  const waiting = calls.filter(({ open }) => open === 0);
  const candidates = waiting.length > 0 ? waiting : calls;
  const [first] = candidates;
  if (!first) throw refusal("A question can be asked only while a tool is called.");
  // Also with a question that waits in one of them: it may be its call that asks once more.
  if (calls.some(({ chatId }) => chatId !== first.chatId)) {
    throw refusal("Calls of several chats run, so that it is not known whom to ask. Try again.");
  }
  if (first.questionCount >= MAX_QUESTIONS) throw refusal("The call has asked too many questions.");
  return first;
};

/** @throws {ProtocolError} when it cannot be shown. */
const toElicitation = (params: ElicitRequestParams) => {
  const { ProtocolError, ProtocolErrorCode } = loadSdk();
  if (!("requestedSchema" in params)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Only forms are supported.");
  }
  const elicitation = {
    message: params.message.toWellFormed(),
    requested_schema: params.requestedSchema as JsonValue,
  };
  const problem = findElicitationProblem(elicitation);
  if (problem !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem);
  return elicitation;
};

const refusal = (message: string): Error => {
  const { ProtocolError, ProtocolErrorCode } = loadSdk();
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
};
