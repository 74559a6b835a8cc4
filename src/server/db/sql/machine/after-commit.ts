import type { ChatEvent } from "@/server/machine/table/transition-table";
import { recordCallsSql } from "@/server/db/sql/rows/chat-row";
import { lastAssistant } from "@/server/db/sql/rows/message-columns";
import type { NamedStatement } from "@/server/db/sql/rows/named-statement";
import {
  type CallTimeout,
  toTimeoutsJson,
  writeDeadlines,
} from "@/server/db/sql/rows/part-columns";
import { TOOL_MODES_COLUMN } from "./claim";

/** The next step after a commit: the worker continues, parks the chat, or ends the turn. */
export type AfterCommit =
  | { type: "continue" }
  /** Each call that waits for a client has its own time, and the chat the shortest. */
  | { type: "park"; timeouts: readonly CallTimeout[] }
  /** A queue that is not empty keeps the chat running, so that its head can enter. */
  | { type: "finish" };

/** The second event of a commit, by what comes after it. */
export const THEN = {
  continue: undefined,
  park: "enter_action",
  finish: "finish_turn",
} as const satisfies Record<AfterCommit["type"], ChatEvent | undefined>;

/** Of a chat that is parked. */
export type ParkValues = { timeoutSeconds?: number; timeouts?: string };

/** @param written calls whose outcomes the statement writes, with their timeouts. */
export const toParkValues = (
  after: AfterCommit,
  written: readonly { toolCallId: string }[] = [],
) => {
  if (after.type !== "park") return {};
  const { timeouts } = after;
  const isWritten = ({ toolCallId }: CallTimeout): boolean =>
    written.some((call) => call.toolCallId === toolCallId);
  return {
    timeoutSeconds: Math.min(...timeouts.map((each) => each.timeoutSeconds)),
    timeouts: toTimeoutsJson(timeouts.filter((each) => !isWritten(each))),
  };
};

const DEADLINE = "now() + make_interval(secs => $timeoutSeconds::float8)";

type End = {
  assign: Record<string, string>;
  /** Columns of the result: the modes of tools, which the next step of the turn goes by. */
  columns: string[];
  /** The deadlines of calls that have been committed before. */
  deadlines: Record<string, string>;
};

/** One statement for each thing that may come after the commit. */
export const forEachEnd = <Values extends object>(
  create: (end: AfterCommit["type"], parts: End) => NamedStatement<Values>,
): Record<AfterCommit["type"], NamedStatement<Values>> => ({
  continue: create("continue", { assign: {}, columns: [TOOL_MODES_COLUMN], deadlines: {} }),
  park: create("park", {
    assign: { action_deadline_at: DEADLINE },
    columns: [],
    deadlines: {
      d: `${writeDeadlines({ messageId: lastAssistant("c.id"), json: "$timeouts" })} RETURNING part.*`,
      o: recordCallsSql("call.opened", { from: "c, d AS s" }),
    },
  }),
  finish: create("finish", { assign: {}, columns: [], deadlines: {} }),
});

/** Of a call that asks a person in the middle. */
export const findTimeout = (
  after: AfterCommit,
  { toolCallId }: { toolCallId: string },
): CallTimeout | undefined =>
  after.type === "park" ? after.timeouts.find((each) => each.toolCallId === toolCallId) : undefined;
