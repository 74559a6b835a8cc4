import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** Seconds. */
const AT = 1_764_324_000;

const toMessage = (id: string, role: string, text: string) => ({
  id,
  author: { role },
  create_time: AT,
  content: { content_type: "text", parts: [text] },
  recipient: "all",
  metadata: {},
});

const toConversation = (number: number, hasMessages: boolean) => {
  const [question, answer] = [
    toMessage("q", "user", `Question ${number}`),
    toMessage("a", "assistant", `Answer ${number}`),
  ];
  const mapping = hasMessages
    ? {
        q: { id: "q", parent: null, children: ["a"], message: question },
        a: { id: "a", parent: "q", children: [], message: answer },
      }
    : {};
  const id = `conversation ${number}`;
  return {
    id,
    title: `Archive ${id}`,
    create_time: AT,
    update_time: AT,
    mapping,
    current_node: "a",
  };
};

/** An archive as ChatGPT makes it, with conversations of two messages, and some without any. */
export const createChatgptArchive = ({
  count,
  withoutMessages,
}: {
  count: number;
  withoutMessages: number;
}): Promise<Buffer> => {
  const conversations = Array.from({ length: count + withoutMessages }, (_each, index) =>
    toConversation(index, index < count),
  );
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(conversations)), "conversations.json");
  zip.addBuffer(Buffer.from("<html></html>"), "chat.html");
  zip.end();
  return buffer(zip.outputStream as Readable);
};
