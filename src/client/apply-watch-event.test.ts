import { describe, expect, it } from "vitest";
import type { ChatSummary } from "@/contract/chat";
import type { ChatPage } from "@/contract/chat-outputs";
import { applyWatchEvent } from "./apply-watch-event";

/** @param minute when it was last changed. */
const chat = (id: string, minute: number, more: Partial<ChatSummary> = {}): ChatSummary => ({
  id,
  title: id,
  status: "waiting",
  archived: false,
  pinned: false,
  labels: {},
  parent_chat_id: null,
  root_chat_id: id,
  model_id: null,
  version: minute,
  queued_count: 0,
  created_at: "2026-11-21T08:00:00.000Z",
  updated_at: `2026-11-21T08:${String(minute).padStart(2, "0")}:00.000Z`,
  ...more,
});

const pages: ChatPage[] = [
  { data: [chat("a", 9), chat("b", 8)], next_cursor: "more" },
  { data: [chat("c", 5), chat("d", 4)], next_cursor: "even more" },
];
const ACTIVE = { archived: false, q: "" };
const ids = (all: readonly ChatPage[]): string[] =>
  all.map(({ data }) => data.map(({ id }) => id).join(""));
const updated = (one: ChatSummary) => ({ type: "chat.updated" as const, chat: one });

describe("a list of chats", () => {
  it.each([
    ["moves a changed chat to its place", updated(chat("d", 10)), ["dab", "c"]],
    ["takes a new chat in", { type: "chat.created" as const, chat: chat("e", 7) }, ["ab", "ecd"]],
    ["leaves a chat to its page that is not loaded", updated(chat("z", 1)), ["ab", "cd"]],
    ["drops a deleted chat", { type: "chat.deleted" as const, id: "b" }, ["a", "cd"]],
    ["drops an archived chat", updated(chat("c", 11, { archived: true })), ["ab", "d"]],
  ])("%s", (_what, event, shown) => {
    expect(ids(applyWatchEvent(pages, event, ACTIVE))).toEqual(shown);
  });

  it("ignores what is older than what it shows", () => {
    const stale = updated(chat("a", 3, { title: "before", version: 2 }));
    expect(applyWatchEvent(pages, stale, ACTIVE)).toEqual(pages);
  });

  it("takes nothing into a search that it did not find, and changes what it did", () => {
    const search = { archived: false, q: "boat" };
    expect(ids(applyWatchEvent(pages, updated(chat("e", 10)), search))).toEqual(["ab", "cd"]);
    const renamed = updated(chat("a", 10, { title: "renamed" }));
    expect(applyWatchEvent(pages, renamed, search)[0]?.data[0]?.title).toBe("renamed");
  });

  it("puts a chat at the end of the last page there is", () => {
    const last: ChatPage[] = [{ data: [chat("a", 9)] }];
    expect(ids(applyWatchEvent(last, updated(chat("b", 1)), ACTIVE))).toEqual(["ab"]);
  });
});
