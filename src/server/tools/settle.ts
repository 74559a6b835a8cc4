import type { JsonValue } from "@/contract/json";
import type { Artifact, ToolCallState } from "@/contract/part";
import type { ToolResult } from "./tool-result";

/** The outcome of a tool call, as its part stores it. */
export type ToolOutcome = {
  state: Exclude<ToolCallState, "running" | "awaiting_result" | "awaiting_approval">;
  output: JsonValue;
  isError: boolean;
  forUser: string | null;
  silent: boolean;
  responseHandled: boolean;
  artifacts: Artifact[] | null;
  /** The task as which the work goes on. */
  taskId: string | null;
  /** Tasks whose end the output reports; not stored. */
  reportedTasks?: readonly string[];
  /** A user's id, `api_key:<id>`, or `worker`. */
  resolvedBy: string;
};

/** Why an open call is closed before it has ended. */
export type ClosedReason =
  | "interrupted"
  | "superseded"
  | "edited"
  | "timed_out"
  | "server_stopped"
  | "program_lost"
  | "toolset_deleted"
  | "turn_failed"
  | "answer_failed"
  | "reconciled";

const CLOSED = {
  interrupted: {
    state: "cancelled",
    output: "Interrupted: the user stopped the turn before this call had an outcome.",
  },
  superseded: {
    state: "cancelled",
    output: "Cancelled: the user sent a new message before this call had an outcome.",
  },
  edited: {
    state: "cancelled",
    output: "Cancelled: the user edited an earlier message before this call had an outcome.",
  },
  timed_out: {
    state: "timed_out",
    output:
      "Timed out: the deadline passed while a result or an approval was missing, so this call has no outcome.",
  },
  server_stopped: {
    state: "error",
    output:
      "Unknown: the server stopped while this ran. It may have taken effect or not; check before you try it again.",
  },
  program_lost: {
    state: "error",
    output:
      "Unknown: the program that ran this stopped. It may have taken effect or not; check before you try it again.",
  },
  toolset_deleted: {
    state: "cancelled",
    output: "Cancelled: the tools that this call is of were removed before it had an outcome.",
  },
  turn_failed: {
    state: "error",
    output:
      "Unknown: the server had an error while this ran. It may have taken effect or not; check before you try it again.",
  },
  answer_failed: {
    state: "cancelled",
    output: "Cancelled: the model's answer ended in an error, so this call did not run.",
  },
  reconciled: {
    state: "cancelled",
    output: "Cancelled: the chat was found in an invalid state and this open call was closed.",
  },
} as const satisfies Record<ClosedReason, Pick<ToolOutcome, "state" | "output">>;

/** All the ways in which a call can end. */
export type CallEnding =
  /** The tool ran and returned this. */
  | { type: "returned"; result: ToolResult }
  /** It never ran: unknown tool, bad arguments, or a policy. */
  | { type: "refused"; message: string }
  /** A client ran it; its output is stored as it is, but for secrets, which are masked before. */
  | { type: "answered"; output: JsonValue; isError: boolean; by: string }
  /** A client says how it has ended elsewhere, with its output as above. */
  | { type: "recorded"; state: ToolOutcome["state"]; output: JsonValue; by: string }
  /** The note is of the tool, for the model. */
  | { type: "denied"; reason?: string | undefined; note?: string | undefined; by: string }
  | { type: "closed"; reason: ClosedReason; by?: string };

/** Creates the outcome of a call; no other code does. */
export const settle = (ending: CallEnding): ToolOutcome => {
  switch (ending.type) {
    case "returned":
      return settleResult(ending.result);
    case "refused":
      return createOutcome({ state: "error", output: ending.message });
    case "answered":
      return createOutcome({
        state: ending.isError ? "error" : "completed",
        output: ending.output,
        resolvedBy: ending.by,
      });
    case "recorded":
      return createOutcome({
        state: ending.state,
        output: ending.output,
        resolvedBy: ending.by,
      });
    case "denied":
      return createOutcome({
        state: "denied",
        output: [denialText(ending.reason), ending.note ?? ""].filter(Boolean).join("\n"),
        resolvedBy: ending.by,
      });
    case "closed":
      return createOutcome({ ...CLOSED[ending.reason], resolvedBy: ending.by ?? "worker" });
  }
};

/** Creates the outcome of an open call that is closed before it has ended. */
export const closedOutcome = (reason: ClosedReason): ToolOutcome & { output: string } => ({
  ...settle({ type: "closed", reason }),
  output: CLOSED[reason].output,
});

const createOutcome = (fields: Pick<ToolOutcome, "state" | "output"> & Partial<ToolOutcome>) => ({
  isError: fields.state !== "completed",
  forUser: null,
  silent: false,
  responseHandled: false,
  artifacts: null,
  taskId: null,
  resolvedBy: "worker",
  ...fields,
});

const settleResult = (result: ToolResult): ToolOutcome => {
  // It has no outcome yet: those that end it read there what it waits for.
  if (result.waitsFor) {
    return {
      ...createOutcome({ state: "awaiting_agents", output: result.waitsFor }),
      isError: false,
    };
  }
  return createOutcome({
    state: result.isError ? "error" : "completed",
    // Null is a legal value.
    output: result.value === undefined ? result.forLlm : result.value,
    forUser: result.silent ? null : (result.forUser ?? null),
    silent: result.silent,
    responseHandled: result.responseHandled,
    artifacts: result.artifacts.length > 0 ? result.artifacts : null,
    taskId: result.taskId ?? null,
    ...(result.reportedTasks && { reportedTasks: result.reportedTasks }),
  });
};

const denialText = (reason: string | undefined): string =>
  reason === undefined || reason.trim() === ""
    ? "Denied: the user rejected this call."
    : `Denied: the user rejected this call and said: ${reason.trim()}`;
