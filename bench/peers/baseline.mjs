import { randomUUID } from "node:crypto";
import { openIdleStreams, readEvents } from "./http-client.mjs";

const DATA = "data: ";

/** Converts an event to the part that it adds to the assistant's message. */
const toToolPart = ({ toolCallId, toolName, input }) => ({
  type: `tool-${toolName}`,
  toolCallId,
  state: "input-available",
  input,
});

const addOutput = (parts, { toolCallId, output }) => {
  const part = parts.find((one) => one.toolCallId === toolCallId);
  Object.assign(part, { state: "output-available", output });
};

/** Reads the text of one `text-delta`. The provider's tokens contain no escapes. */
const readDelta = (block) => {
  const from = block.indexOf('"delta":"') + 9;
  return block.slice(from, block.indexOf('"', from));
};

/**
 * Creates a client of the AI SDK's chat protocol. Each request contains the whole history.
 *
 * @param {string} base
 * @returns {import("./peer.mjs").Peer}
 */
export const createBaselinePeer = (base) => {
  const send = async (chat) => {
    const last = chat.messages.at(-1);
    const message =
      last.role === "assistant" ? last : { id: randomUUID(), role: "assistant", parts: [] };
    const calls = [];
    let text = "";
    let firstTextAt;
    const onBlock = (block) => {
      if (block.startsWith(`${DATA}{"type":"text-delta"`)) {
        firstTextAt ??= performance.now();
        text += readDelta(block);
      } else if (block.startsWith(`${DATA}{"type":"start-step"`)) {
        message.parts.push({ type: "step-start" });
      } else if (block.startsWith(`${DATA}{"type":"tool-input-available"`)) {
        calls.push(toToolPart(JSON.parse(block.slice(DATA.length))));
      } else if (block.startsWith(`${DATA}{"type":"tool-output-available"`)) {
        addOutput(calls, JSON.parse(block.slice(DATA.length)));
      } else if (block.startsWith(`${DATA}{"type":"error"`)) {
        throw new Error(block);
      }
    };
    const body = { id: chat.id, messages: chat.messages };
    const bytes = await readEvents({ base, method: "POST", path: "/api/chat", body }, onBlock);
    message.parts.push(...calls);
    if (text !== "") message.parts.push({ type: "text", text, state: "done" });
    if (message !== last) chat.messages.push(message);
    const openCall = calls.find(({ state }) => state === "input-available")?.toolCallId;
    return { characters: text.length, firstTextAt, bytes, openCall };
  };

  return {
    name: "baseline",
    createChat: () => ({ id: randomUUID(), messages: [] }),
    send: (chat, text) => {
      chat.messages.push({ id: randomUUID(), role: "user", parts: [{ type: "text", text }] });
      return send(chat);
    },
    answer: (chat, toolCallId, output) => {
      addOutput(chat.messages.at(-1).parts, { toolCallId, output });
      return send(chat);
    },
    close: () => undefined,
    prepareWatchers: () => {
      const target = { base, path: "/api/chat", headers: { accept: "text/event-stream" } };
      return Promise.resolve((count) => openIdleStreams(count, () => target));
    },
  };
};
