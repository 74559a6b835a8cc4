import { use } from "react";
import { SERVER_LIMITS } from "./choose-blocks";

type Part = { cost: number };

/** React renders what was woken in one turn of the event loop or in the next one, so a turn may have twice as much. */
const MAX_TURN_COST = SERVER_LIMITS.block / 2;

/** Of each part that was rendered or waits; React asks again for one that waited. */
const turns = new WeakMap<Part, Promise<void>>();
const waiting: { part: Part; start: () => void }[] = [];
let spent = 0;
let isScheduled = false;

// React takes a promise with this field for one that is fulfilled, and does not wait for it.
const NOW = Object.assign(Promise.resolve(), { status: "fulfilled", value: undefined });

/** Waits for what else the event loop has to do. */
const scheduleTurn = (): void => {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    spent = 0;
    while (waiting[0] && takeTime(waiting[0].part)) waiting.shift()?.start();
    if (spent > 0) scheduleTurn();
  });
};

/** @returns whether a part fits into this turn of the event loop; the first one does in any case. */
const takeTime = ({ cost }: Part): boolean => {
  if (spent > 0 && spent + cost > MAX_TURN_COST) return false;
  spent += cost;
  return true;
};

const requestTurn = (part: Part): Promise<void> => {
  scheduleTurn();
  if (waiting.length === 0 && takeTime(part)) return NOW;
  return new Promise((resolve) => waiting.push({ part, start: resolve }));
};

/**
 * Suspends a part of a page on the server while other parts use up what a turn of the event loop may take, so that other
 * requests are answered between them. In the browser, each message has a frame of its own.
 *
 * @param part the same object each time, with the microseconds that it takes.
 */
export const useRenderTurn = (part: Part): void => {
  if (typeof window !== "undefined") return;
  const turn = turns.get(part) ?? requestTurn(part);
  turns.set(part, turn);
  use(turn);
};
