import type { ChatRow } from "@/server/db/chats/rows";
import type { LostUses } from "@/server/db/sql/writes/usage";
import type { NextStep } from "./decide-next";
import type { GeneratedStep } from "./generate-step";
import type { PartialTurn, StopReason, TurnDeps } from "./turn-deps";

/** This worker's part of the turn is over. */
export type TurnEnd = "done";

/** Ends the turn after its last commit. The head of a queue that is not empty starts the next turn. */
export const endTurn = async (deps: TurnDeps, chat: ChatRow, next: NextStep): Promise<TurnEnd> => {
  if (chat.status === "running" && next.type === "finish") await deps.store.finishTurn(chat);
  else if (chat.status === "waiting" && chat.reportCount > 0) await deps.store.wake(chat.id);
  deps.meter.recordTurnEnd(next.type === "park" || next.type === "wait" ? "parked" : "finished");
  return "done";
};

/**
 * Ends the turn after a refused write. Either another worker holds the chat, and nothing happens, or a
 * person has interrupted it, and this worker has to commit the interruption.
 */
export const abandonTurn = async (
  deps: TurnDeps,
  chat: ChatRow,
  partial: PartialTurn,
): Promise<TurnEnd> => {
  await finishInterruption(deps, chat, partial);
  deps.meter.recordTurnEnd("lost");
  return "done";
};

/** Releases the chat to other workers, or commits an interruption that came meanwhile. */
export const releaseTurn = async (
  deps: TurnDeps,
  chat: ChatRow,
  partial: PartialTurn,
): Promise<TurnEnd> => {
  await finishInterruption(deps, chat, partial);
  await deps.store.release(chat);
  deps.meter.recordTurnEnd("shutdown");
  return "done";
};

/** Ends the turn of an aborted signal by its reason; a turn that is `lost` belongs to another worker already. */
export const stopTurn = async (
  deps: TurnDeps,
  chat: ChatRow,
  partial: PartialTurn,
): Promise<TurnEnd> => {
  const reason = deps.signal.reason as StopReason;
  if (reason === "shutdown") return releaseTurn(deps, chat, partial);
  await finishInterruption(deps, chat, partial);
  deps.meter.recordTurnEnd(reason);
  return "done";
};

/** Releases the chat until its next try, unless an interruption came meanwhile. */
export const deferTurn = async (
  deps: TurnDeps,
  { chat, retry }: Extract<GeneratedStep, { type: "deferred" }>,
): Promise<TurnEnd> => {
  const deferred = await deps.store.defer(chat, retry);
  if (!deferred) return abandonTurn(deps, chat, {});
  deps.onDeferred(retry.delay_ms);
  deps.meter.recordTurnEnd("deferred");
  return "done";
};

/** Commits an interruption, if there is one; otherwise the partial answer is lost, but what it has cost counts. */
const finishInterruption = async (
  { store, isLeaseFresh }: TurnDeps,
  chat: ChatRow,
  partial: PartialTurn,
): Promise<void> => {
  if (await store.finishInterruption(chat, partial)) return;
  // They were closed while they ran; without a lease, by another worker, which has reported them.
  if (isLeaseFresh()) store.reportEnded(chat, partial.ran ?? []);
  const lost = toLostUses(partial);
  if (lost.uses.length > 0) await store.recordLostUses(chat, lost);
};

const toLostUses = ({ partial, settled }: PartialTurn): LostUses =>
  settled
    ? { kind: "advisor", uses: settled.uses }
    : { kind: "turn", uses: partial?.use ? [partial.use] : [] };
