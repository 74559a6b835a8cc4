import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  createDeletionQueue,
  DELETIONS_KEY,
  parseDeletions,
  removeDeletion,
  UNDO_MS,
} from "./pending-deletions";
import { localStore } from "./local-store";

const sent: string[] = [];
const createQueue = () =>
  createDeletionQueue((chatId) => {
    sent.push(chatId);
    removeDeletion(chatId);
  });

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  localStore.set(DELETIONS_KEY, null);
  sent.length = 0;
});
const stored = (): string[] => Object.keys(parseDeletions(localStore.get(DELETIONS_KEY)));

it("sends a deletion when its time is over, and not before", () => {
  createQueue().add("a");
  vi.advanceTimersByTime(UNDO_MS - 1);
  expect([sent, stored()]).toEqual([[], ["a"]]);
  vi.advanceTimersByTime(1);
  expect([sent, stored()]).toEqual([["a"], []]);
});

it("sends nothing that was undone", () => {
  const queue = createQueue();
  queue.add("a");
  queue.add("b");
  removeDeletion("a");
  vi.advanceTimersByTime(UNDO_MS);
  expect([sent, stored()]).toEqual([["b"], []]);
});

it("gives a closing page what it would have sent, and keeps it stored for the next page", () => {
  const queue = createQueue();
  queue.add("a");
  queue.add("b");
  removeDeletion("b");
  expect(queue.takeAll()).toEqual(["a"]);
  vi.advanceTimersByTime(UNDO_MS);
  expect([sent, stored()]).toEqual([[], ["a"]]);

  // The next page, such as after a crash.
  createQueue().start();
  vi.advanceTimersByTime(UNDO_MS);
  expect([sent, stored()]).toEqual([["a"], []]);
});

it.each(["[]", "no json", '{"a":"soon"}'])("ignores the stored value %s", (value) => {
  localStore.set(DELETIONS_KEY, value);
  createQueue().start();
  vi.advanceTimersByTime(UNDO_MS);
  expect(sent).toEqual([]);
});
