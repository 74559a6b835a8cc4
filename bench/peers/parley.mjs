import { requestJson, watchEvents } from "./http-client.mjs";

const API = "/api/v1";

/** What the AI SDK is offered in the baseline. */
const CLIENT_TOOL = {
  name: "client",
  description: "A tool that the client runs",
  input_schema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
};

const RESTING = new Set(["waiting", "requires_action", "error"]);

const textOf = ({ parts }) =>
  parts.reduce((length, part) => length + (part.type === "text" ? part.text.length : 0), 0);

/** The lines of one event: `id`, which committed ones have, `event`, `data`. */
const readBlock = (block) => {
  const data = block.indexOf("data: ");
  const type = /^event: (\S+)$/m.exec(block.slice(0, Math.max(0, data)))?.[1];
  return { type, json: () => JSON.parse(block.slice(data + 6)) };
};

/** Takes one event of a chat's stream. */
const hear = (chat, block) => {
  const { type, json } = readBlock(block);
  const { turn } = chat;
  if (type === "preview" && block.includes('"text-append"')) {
    turn.firstTextAt ??= performance.now();
  } else if (type === "message") {
    const { message } = json();
    // A message is told again when a call of it is answered; its text is the same.
    if (message.role !== "assistant") return;
    turn.texts.set(message.id, textOf(message));
    // A short answer may be committed before there was a preview of it.
    if (textOf(message) > 0) turn.firstTextAt ??= performance.now();
  } else if (type === "chat") {
    hearStatus(chat, json().chat);
  }
};

const hearStatus = (chat, { id, status, version, required_action: action, last_error: error }) => {
  chat.id = id;
  chat.version = version;
  if (!RESTING.has(status) || version <= chat.turn.after) return;
  if (status === "error") chat.turn.reject(new Error(error?.message));
  else chat.turn.resolve(action?.tool_calls[0]?.tool_call_id);
};

const createChat = ({ tools = false } = {}) => ({
  tools,
  id: undefined,
  version: 0,
  stream: undefined,
  isFollowed: false,
  turn: undefined,
});

/**
 * Parley over REST. A new chat is answered with the stream of its turn; later turns are watched by a
 * stream that stays open, as a browser holds it. A turn's text is what was committed, its first token
 * what the preview brought.
 *
 * @param {string} base
 * @param {string} apiKey
 * @returns {import("./peer.mjs").Peer}
 */
export const parleyPeer = (base, apiKey) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const post = (path, body) =>
    requestJson({ base, method: "POST", path: API + path, headers, body });

  const openStream = (chat, request) =>
    watchEvents(
      { base, ...request, headers: { ...headers, accept: "text/event-stream" } },
      (block) => hear(chat, block),
      () => chat.turn.reject(new Error("the stream ended")),
    );
  const resumeStream = async (chat) => {
    const path = `${API}/chats/${chat.id}/stream?after=${chat.version}`;
    chat.stream = await openStream(chat, { path });
  };

  /** Does what sets the chat to work, and waits until it rests. */
  const restAfter = async (chat, work) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    // It may be rejected while the request is still on its way.
    promise.catch(() => undefined);
    const turn = { after: chat.version, texts: new Map(), firstTextAt: undefined, resolve, reject };
    chat.turn = turn;
    const bytesBefore = chat.stream?.bytes() ?? 0;
    await work();
    if (!chat.stream) await resumeStream(chat);
    const openCall = await promise;
    const { stream } = chat;
    // It ends with the turn that it was begun with.
    if (chat.isFollowed && openCall === undefined) {
      await stream.ended;
      Object.assign(chat, { stream: undefined, isFollowed: false });
    }
    const characters = [...turn.texts.values()].reduce((sum, length) => sum + length, 0);
    const bytes = stream.bytes() - bytesBefore;
    return { characters, firstTextAt: turn.firstTextAt, bytes, openCall };
  };

  /** The answer is the turn's stream. */
  const create = async (chat, content) => {
    const body = { content, ...(chat.tools && { dynamic_tools: [CLIENT_TOOL] }) };
    chat.stream = await openStream(chat, { method: "POST", path: `${API}/chats`, body });
    chat.isFollowed = true;
  };

  return {
    name: "Parley",
    createChat,
    send: (chat, content) =>
      restAfter(chat, () =>
        chat.id ? post(`/chats/${chat.id}/messages`, { content }) : create(chat, content),
      ),
    answer: (chat, tool_call_id, output) =>
      restAfter(chat, () =>
        post(`/chats/${chat.id}/tool-results`, { results: [{ tool_call_id, output }] }),
      ),
    close: (chat) => {
      chat.stream?.close();
      chat.stream = undefined;
    },
  };
};
