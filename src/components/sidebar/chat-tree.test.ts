import { describe, expect, it } from "vitest";
import { buildChatTree, type SidebarChat } from "./chat-tree";

const createChat = (id: string, parentId: string | null = null) =>
  ({ id, parent_chat_id: parentId }) as SidebarChat;

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
