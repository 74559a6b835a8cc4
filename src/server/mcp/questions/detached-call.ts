import type { Elicitation, ElicitationAnswer } from "@/contract/elicitation";
import type { ToolOutcome } from "@/server/tools/settle";
import type { CallHost, RunDeps } from "@/server/tools/held-calls";

/** The turn that a call runs in. */
export type RunHost = Pick<CallHost, "signal" | "emit">;

/** The state of a call: ended, or waiting for an answer. */
type CallProgress =
  { type: "ended"; outcome: ToolOutcome } | { type: "asks"; elicitation: Elicitation };

export type DetachedCall = ReturnType<typeof startDetachedCall>;

type Question = { elicitation: Elicitation; answer: (answer: ElicitationAnswer) => void };

/**
 * Starts a call that may outlast its turn, as it may ask a person something. Its signal and its preview are those of the
 * turn that it is attached to.
 */
export const startDetachedCall = (
  start: (deps: RunDeps) => Promise<ToolOutcome>,
  host: RunHost,
) => {
  const hosts = createHosts(host);
  const { signal } = hosts;
  const questions = createQuestions(signal, () => change());
  let outcome: ToolOutcome | undefined;
  let failure: { error: unknown } | undefined;
  let shown: Question | undefined;
  let changed = Promise.withResolvers<undefined>();
  let onChange = (): void => undefined;

  const change = (): void => {
    changed.resolve(undefined);
    changed = Promise.withResolvers();
    onChange();
  };
  const read = (): CallProgress | undefined => {
    if (failure) throw failure.error;
    if (outcome) return { type: "ended", outcome };
    shown = signal.aborted ? undefined : questions.first();
    return shown && { type: "asks", elicitation: shown.elicitation };
  };

  const run = start({ signal, emit: hosts.emit, elicit: questions.ask });
  run.then(
    (ended) => {
      outcome = ended;
      change();
    },
    (error: unknown) => {
      failure = { error };
      change();
    },
  );

  return {
    /** Resolves when the call has ended or asks. Rejects as `start` does. */
    next: async (): Promise<CallProgress> => {
      for (;;) {
        const progress = read();
        if (progress) return progress;
        await changed.promise;
      }
    },
    /** Whether what `next` has returned last is still asked. */
    isAsking: (): boolean =>
      outcome === undefined && shown !== undefined && shown === questions.first(),
    /** Gives the answer to what `next` has returned last, if that is still asked. */
    answer: (answer: ElicitationAnswer): void => {
      if (shown && shown === questions.first()) shown.answer(answer);
    },
    attach: hosts.attach,
    /** From here on the end of the turn does not matter, and what the call reports is not shown. */
    detach: hosts.detach,
    /** @param listener is called after each change of what `next` would return. */
    watch: (listener: () => void): void => {
      onChange = listener;
    },
    abort: hosts.abort,
    isAborted: (): boolean => signal.aborted,
  };
};

/** The turns that a call runs in, one after another. */
const createHosts = (first: RunHost) => {
  const controller = new AbortController();
  let current: RunHost | undefined;
  const abort = (reason: unknown): void => controller.abort(reason);
  const onAbort = (): void => abort(current?.signal.reason);
  const detach = (): void => {
    current?.signal.removeEventListener("abort", onAbort);
    current = undefined;
  };
  const attach = (next: RunHost): void => {
    detach();
    current = next;
    next.signal.addEventListener("abort", onAbort, { once: true });
    if (next.signal.aborted) onAbort();
  };
  attach(first);
  const emit: RunHost["emit"] = (op) => current?.emit(op);
  return { signal: controller.signal, emit, attach, detach, abort };
};

/** The questions of a call in the order in which they came. One at a time is shown. */
const createQuestions = (signal: AbortSignal, onChange: () => void) => {
  const questions: Question[] = [];
  return {
    first: () => questions[0],
    ask: (elicitation: Elicitation, withdrawn: AbortSignal): Promise<ElicitationAnswer> => {
      const { promise, resolve, reject } = Promise.withResolvers<ElicitationAnswer>();
      const remove = (): void => {
        questions.splice(questions.indexOf(question), 1);
        ended.removeEventListener("abort", withdraw);
        onChange();
      };
      const question: Question = {
        elicitation,
        answer: (answer) => {
          remove();
          resolve(answer);
        },
      };
      const withdraw = (): void => {
        remove();
        reject(new Error("the question was withdrawn"));
      };
      const ended = AbortSignal.any([signal, withdrawn]);
      questions.push(question);
      if (ended.aborted) withdraw();
      else ended.addEventListener("abort", withdraw, { once: true });
      onChange();
      return promise;
    },
  };
};
