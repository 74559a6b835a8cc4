import { describe, expect, it } from "vitest";
import { chatTree } from "./chat-tree";
import type { SidebarChat } from "./sidebar-chat";

const chat = (id: string, parent: string | null = null) =>
  ({ id, parent_chat_id: parent }) as SidebarChat;

const shape = (nodes: ReturnType<typeof chatTree>): unknown =>
  nodes.map(({ chat: { id }, children }) => (children.length > 0 ? [id, shape(children)] : id));

describe("chatTree", () => {
  it("keeps the order of the list, with children under their parent", () => {
    expect(shape(chatTree([chat("a"), chat("b", "c"), chat("c"), chat("d", "a")]))).toEqual([
      ["a", ["d"]],
      ["c", ["b"]],
    ]);
  });

  it("lets a child stand alone while its parent is not listed", () => {
    expect(shape(chatTree([chat("a", "gone"), chat("b")]))).toEqual(["a", "b"]);
  });
});
