import { describe, expect, it } from "vitest";
import type { ChatSummary } from "@/contract/chat";
import { buildChatTree, mergeChats, sortByDeadline, splitWaiting } from "./chat-tree";

const createChat = (
  id: string,
  parentId: string | null = null,
  rest: Partial<ChatSummary> = {},
): ChatSummary => ({ id, parent_chat_id: parentId, needs_you: false, ...rest }) as ChatSummary;

const toIds = (nodes: ReturnType<typeof buildChatTree>): unknown =>
  nodes.map(({ chat: { id }, children }) => (children.length > 0 ? [id, toIds(children)] : id));

describe("buildChatTree", () => {
  it("nests children under their parent in the order of the list", () => {
    expect(
      toIds(
        buildChatTree([
          createChat("a"),
          createChat("b", "c"),
          createChat("c"),
          createChat("d", "a"),
        ]),
      ),
    ).toEqual([
      ["a", ["d"]],
      ["c", ["b"]],
    ]);
  });

  it("makes a child a root if its parent is not listed", () => {
    expect(toIds(buildChatTree([createChat("a", "missing"), createChat("b")]))).toEqual(["a", "b"]);
  });
});

describe("splitWaiting", () => {
  it("takes each waiting chat out of its place, with the child chats that do not wait", () => {
    const parked = { needs_you: true };
    const { waiting, others } = splitWaiting(
      buildChatTree([
        createChat("a"),
        createChat("b", null, parked),
        createChat("c", "b"),
        createChat("d", "a", parked),
        createChat("e", "a"),
      ]),
    );
    expect(toIds(waiting)).toEqual(["d", ["b", ["c"]]]);
    expect(toIds(others)).toEqual([["a", ["e"]]]);
  });

  it("tells of a child chat that is taken out whose it is", () => {
    const { waiting } = splitWaiting(
      buildChatTree([
        createChat("a", null, { title: "Compare libraries" }),
        createChat("b", "a", { needs_you: true }),
        createChat("c", null, { needs_you: true }),
      ]),
    );
    expect(waiting.map(({ parentTitle }) => parentTitle)).toEqual(["Compare libraries", undefined]);
  });
});

describe("mergeChats", () => {
  it("lists each chat once, in its newest version", () => {
    const old = createChat("a", null, { version: 1 });
    const newer = createChat("a", null, { version: 2 });
    const other = createChat("b", null, { version: 1 });
    expect(mergeChats([old], [newer, other])).toEqual([newer, other]);
    expect(mergeChats([newer, other], [old])).toEqual([newer, other]);
  });
});

describe("sortByDeadline", () => {
  it("puts the chat with the least time left first, and those without a deadline last", () => {
    const waiting = [
      createChat("later", null, { action_deadline_at: "2026-11-23T10:00:00.000Z" }),
      createChat("never", null, { action_deadline_at: null }),
      createChat("soon", null, { action_deadline_at: "2026-11-23T09:00:00.000Z" }),
      createChat("also never", null, { action_deadline_at: null }),
    ];
    expect(toIds(sortByDeadline(buildChatTree(waiting)))).toEqual([
      "soon",
      "later",
      "never",
      "also never",
    ]);
  });
});
