import type { AnsweredElicitation } from "@/contract/elicitation";
import type { ToolOutcome } from "./settle";
import type { CallDeps } from "./tool-context";

/** A call of an answer. The id of a call is unique in its chat, but for answers that an edit or a retry has removed. */
export type HeldKey = { chatId: string; toolCallId: string };

/** What a turn gives to the calls that it runs. */
export type CallHost = { signal: AbortSignal; emit: CallDeps["emit"]; now: () => Date };

/** What a call gets of the turn that it runs in, which another one may continue. */
export type RunDeps = Pick<CallDeps, "emit" | "elicit"> & { signal: AbortSignal };

/** The state of a call after these questions: ended, or waiting for another answer. */
export type CallRest = { elicitations: readonly AnsweredElicitation[] } & (
  { type: "ended"; outcome: ToolOutcome; endedAt: Date } | { type: "asks" }
);

/** The calls of a process that may ask a person, and outlast their turns then. */
export type HeldCalls = {
  has: (key: HeldKey) => boolean;
  /**
   * Runs a call until it has ended or asks, or continues one that has asked. Rejects as `start` does.
   *
   * @param call.elicitations its questions so far, with their answers.
   * @returns a function for the time when the other calls of its step have ended or ask, too: a question may have been
   *   withdrawn by then.
   */
  run: (
    key: HeldKey,
    call: {
      start: (deps: RunDeps) => Promise<ToolOutcome>;
      host: CallHost;
      elicitations: readonly AnsweredElicitation[];
    },
  ) => Promise<() => Promise<CallRest>>;
  /** Call it when a turn has parked the chat with the questions of its calls. */
  park: (chatId: string, turn: AbortSignal) => void;
  /** Ends the calls of a chat that are not among those that are open when a turn begins. */
  retain: (chatId: string, toolCallIds: readonly string[]) => void;
  /** Ends the calls of a turn that has ended without parking with their questions. */
  endTurn: (chatId: string, turn: AbortSignal) => void;
};

/** What the process does with the calls between their turns. */
export type ProcessHeldCalls = HeldCalls & {
  hasChat: (chatId: string) => boolean;
  /** Ends the calls of a chat that this process does not hold any more. */
  endChat: (chatId: string) => void;
  /**
   * Ends the calls of these chats that are not open any more, as the database says, and lets those go on that wait for no
   * answer any more. Rejects when it is away.
   */
  check: (chatIds: readonly string[]) => Promise<void>;
  /** Ends all of them, and resolves when other processes may have their chats. Does not reject. */
  endAll: () => Promise<void>;
};

export type HeldCallsDeps = {
  /** Makes this process the one that works on the chat. @returns false when it does not work on it any more. */
  hold: (chatId: string) => Promise<boolean>;
  /** Does not reject. */
  release: (chatIds: readonly string[]) => Promise<void>;
  /** Lets a parked call go on that waits for no answer any more. Rejects when that has to be tried again. */
  resume: (call: HeldKey & { questionCount: number }) => Promise<void>;
  /** Reads which of these calls the database still has as open. */
  listOpen: (calls: readonly HeldKey[]) => Promise<readonly HeldKey[]>;
};
