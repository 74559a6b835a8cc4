import { describe, expect, it } from "vitest";
import type { ChatSummary } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import { applyWatchEvent } from "./apply-watch-event";

/** @param minute when it was last changed. */
const createChat = (
  id: string,
  minute: number,
  overrides: Partial<ChatSummary> = {},
): ChatSummary => ({
  id,
  title: id,
  status: "waiting",
  archived: false,
  pinned: false,
  labels: {},
  parent_chat_id: null,
  root_chat_id: id,
  forked_from: null,
  model_id: null,
  version: minute,
  queued_count: 0,
  action_deadline_at: null,
  needs_you: false,
  unread: false,
  created_at: "2026-11-21T08:00:00.000Z",
  updated_at: `2026-11-21T08:${String(minute).padStart(2, "0")}:00.000Z`,
  ...overrides,
});

const pages: ChatPage[] = [
  { data: [createChat("a", 9), createChat("b", 8)], next_cursor: "more" },
  { data: [createChat("c", 5), createChat("d", 4)], next_cursor: "even more" },
];
const ACTIVE = { archived: false, q: "" };
const ids = (pages: readonly ChatPage[]): string[] =>
  pages.map(({ data }) => data.map(({ id }) => id).join(""));
const updatedEvent = (chat: ChatSummary) => ({ type: "chat.updated" as const, chat });

describe("applyWatchEvent", () => {
  it.each([
    ["moves a changed chat to its new position", updatedEvent(createChat("d", 10)), ["dab", "c"]],
    [
      "inserts a new chat",
      { type: "chat.created" as const, chat: createChat("e", 7) },
      ["ab", "ecd"],
    ],
    [
      "skips a chat that belongs to a page not loaded yet",
      updatedEvent(createChat("z", 1)),
      ["ab", "cd"],
    ],
    ["removes a deleted chat", { type: "chat.deleted" as const, id: "b" }, ["a", "cd"]],
    [
      "removes an archived chat",
      updatedEvent(createChat("c", 11, { archived: true })),
      ["ab", "d"],
    ],
  ])("%s", (_behavior, event, expected) => {
    expect(ids(applyWatchEvent(pages, event, ACTIVE))).toEqual(expected);
  });

  it("ignores an event older than the listed chat", () => {
    const staleEvent = updatedEvent(createChat("a", 3, { title: "before", version: 2 }));
    expect(applyWatchEvent(pages, staleEvent, ACTIVE)).toEqual(pages);
  });

  it("updates the chats of a search and adds none", () => {
    const search = { archived: false, q: "boat" };
    expect(ids(applyWatchEvent(pages, updatedEvent(createChat("e", 10)), search))).toEqual([
      "ab",
      "cd",
    ]);
    const renamedEvent = updatedEvent(createChat("a", 10, { title: "renamed" }));
    expect(applyWatchEvent(pages, renamedEvent, search)[0]?.data[0]?.title).toBe("renamed");
  });

  it("leaves the results of a search in their order, with what was found in them", () => {
    const match = { seq: 3, snippet: "a boat" };
    const found: ChatPage[] = [{ data: [createChat("a", 9), { ...createChat("b", 8), match }] }];
    const archivedEvent = updatedEvent(createChat("b", 10, { archived: true }));
    expect(applyWatchEvent(found, archivedEvent, { archived: false, q: "boat" })).toEqual([
      { data: [createChat("a", 9), { ...createChat("b", 10, { archived: true }), match }] },
    ]);
  });

  it("replaces a chat that was read by the person, though its version is the same", () => {
    const readEvent = updatedEvent(createChat("a", 9, { unread: false }));
    const unread: ChatPage[] = [{ data: [createChat("a", 9, { unread: true })] }];
    expect(applyWatchEvent(unread, readEvent, ACTIVE)[0]?.data[0]?.unread).toBe(false);
  });

  it("lists only chats with the status of the list, while they have it", () => {
    const parked = { archived: false, q: "", needsYou: true as const };
    const parkedEvent = updatedEvent(createChat("w", 1, { needs_you: true }));
    const waiting = applyWatchEvent([{ data: [] }], parkedEvent, parked);
    expect(ids(waiting)).toEqual(["w"]);
    const running = updatedEvent(createChat("w", 2, { status: "running" }));
    expect(ids(applyWatchEvent(waiting, running, parked))).toEqual([""]);
    expect(ids(applyWatchEvent(waiting, updatedEvent(createChat("a", 9)), parked))).toEqual(["w"]);
  });

  it("appends a chat to the last page when it is the oldest", () => {
    const last: ChatPage[] = [{ data: [createChat("a", 9)] }];
    expect(ids(applyWatchEvent(last, updatedEvent(createChat("b", 1)), ACTIVE))).toEqual(["ab"]);
  });
});
