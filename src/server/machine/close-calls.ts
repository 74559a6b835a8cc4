import { listOpenCalls, type OpenCall } from "@/server/db/chats/call-reads";
import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { saveOutcomes } from "@/server/db/sql/machine/call-writes";
import { type ClosedReason, settle } from "@/server/tools/settle";
import { type EndedWait, endWaits, findWaits } from "./end-waits";

/** What closing calls has written. */
type ClosedCalls = {
  /** The calls that have ended without a result. */
  closed: OpenCall[];
  /** Those that waited for agents. */
  waits: EndedWait[];
  /** How many reports these have handed over. */
  delivered: number;
  hasChanged: boolean;
};

type Ending = {
  reason: ClosedReason;
  by: string;
  /** The ids of those that end; undefined for all. */
  only?: ReadonlySet<string> | undefined;
};

/** Ends the open calls of a locked chat. Those that wait for agents keep their own deadline, and a message ends them with the reports so far. */
export const closeChatCalls = async (
  tx: Queryable,
  chat: ChatRow,
  { reason, by, only }: Ending,
): Promise<ClosedCalls> => {
  const all = await listOpenCalls(tx, chat.id);
  const open = only ? all.filter(({ toolCallId }) => only.has(toolCallId)) : all;
  // Nearly always there is none.
  if (open.length === 0) return { closed: [], waits: [], delivered: 0, hasChanged: false };
  const waiting = LEAVES_WAITS.has(reason) ? open.filter(isWaiting) : [];
  const closed = open.filter((call) => !waiting.includes(call));
  const outcome = settle({ type: "closed", reason, by });
  await saveOutcomes(tx, {
    chatId: chat.id,
    revision: chat.version + 1,
    outcomes: closed.map(({ toolCallId }) => ({ toolCallId, ...outcome })),
  });
  const waits = reason === "superseded" ? findWaits(waiting) : [];
  const { ended, delivered } = await endWaits(tx, chat, { waits, endedBy: "message" });
  return { closed, waits: ended, delivered, hasChanged: closed.length + waits.length > 0 };
};

const LEAVES_WAITS: ReadonlySet<ClosedReason> = new Set(["timed_out", "superseded"]);

const isWaiting = ({ state }: OpenCall): boolean => state === "awaiting_agents";
