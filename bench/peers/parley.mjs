import { openIdleStreams, requestJson, watchEvents } from "./http-client.mjs";

const API = "/api/v1";
/** One key may have 100 streams. */
const STREAMS_PER_KEY = 90;

/** The baseline has the same tool. */
const CLIENT_TOOL = {
  name: "client",
  description: "A tool that the client runs",
  input_schema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
};

/** @type {Record<import("../../src/contract/chat.ts").ChatStatus, boolean>} */
const IS_IDLE = {
  waiting: true,
  pending: false,
  running: false,
  interrupting: false,
  requires_action: true,
  error: true,
};

const countCharacters = ({ parts }) =>
  parts.reduce((length, part) => length + (part.type === "text" ? part.text.length : 0), 0);

/** Parses the lines `event` and `data` of one event. */
const parseBlock = (block) => {
  const data = block.indexOf("data: ");
  const type = /^event: (\S+)$/m.exec(block.slice(0, Math.max(0, data)))?.[1];
  return { type, json: () => JSON.parse(block.slice(data + 6)) };
};

/** Handles one event of a chat's stream. */
const handleEvent = (chat, block) => {
  const { type, json } = parseBlock(block);
  const { turn } = chat;
  if (type === "preview" && block.includes('"text-append"')) {
    turn.firstTextAt ??= performance.now();
  } else if (type === "message") {
    const { message } = json();
    // A message is sent again, with the same text, when one of its calls is answered.
    if (message.role !== "assistant") return;
    turn.texts.set(message.id, countCharacters(message));
    // A short answer may be committed before there was a preview of it.
    if (countCharacters(message) > 0) turn.firstTextAt ??= performance.now();
  } else if (type === "chat") {
    handleChat(chat, json().chat);
  }
};

const handleChat = (chat, { id, status, version, required_action: action, last_error: error }) => {
  chat.id = id;
  chat.version = version;
  if (!(status in IS_IDLE)) chat.turn.reject(new Error(`unknown status ${status}`));
  if (!IS_IDLE[status] || version <= chat.turn.after) return;
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

/** Prepares idle streams: each of a chat of its own, or all of the list. Returns a function that opens them. */
const prepareWatchers = async ({ base, post, startChat }, count, kind) => {
  const keys = [];
  while (keys.length * STREAMS_PER_KEY < count) {
    keys.push((await post("/api-keys", { name: `watchers ${keys.length}` })).key);
  }
  const paths = [];
  while (paths.length < count) {
    const chat = createChat();
    if (kind === "chat") await startChat(chat, "hi @@tokens=1@@ @@burst=yes@@");
    paths.push(chat.id ? `${API}/chats/${chat.id}/stream?after=0` : `${API}/watch`);
  }
  const target = (index) => {
    const authorization = `Bearer ${keys[Math.floor(index / STREAMS_PER_KEY)]}`;
    return { base, path: paths[index], headers: { authorization } };
  };
  let opened = 0;
  return (more) => {
    const first = opened;
    opened += more;
    return openIdleStreams(more, (index) => target(first + index));
  };
};

/**
 * Creates a client of Parley's REST API. The response to a new chat is the stream of its turn;
 * later turns use a stream that stays open, as in a browser. A turn's text is the committed one, its
 * first token usually arrives with the preview.
 *
 * @param {string} base
 * @param {string} apiKey
 * @param {string[]} [chosen] the tools of the server that new chats choose; all by default
 * @returns {import("./peer.mjs").Peer}
 */
export const createParleyPeer = (base, apiKey, chosen) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const post = (path, body) =>
    requestJson({ base, method: "POST", path: API + path, headers, body });

  const openStream = (chat, request) =>
    watchEvents(
      { base, ...request, headers: { ...headers, accept: "text/event-stream" } },
      (block) => handleEvent(chat, block),
      () => chat.turn.reject(new Error("the stream ended")),
    );
  const resumeStream = async (chat) => {
    const path = `${API}/chats/${chat.id}/stream?after=${chat.version}`;
    chat.stream = await openStream(chat, { path });
  };

  /** Starts a turn and waits until the chat is idle. */
  const runTurn = async (chat, start) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    // It may reject before the request is answered.
    promise.catch(() => undefined);
    const turn = { after: chat.version, texts: new Map(), firstTextAt: undefined, resolve, reject };
    chat.turn = turn;
    const bytesBefore = chat.stream?.bytes() ?? 0;
    await start();
    if (!chat.stream) await resumeStream(chat);
    const openCall = await promise;
    const { stream } = chat;
    // The stream of a new chat ends with its turn.
    if (chat.isFollowed && openCall === undefined) {
      await stream.ended;
      Object.assign(chat, { stream: undefined, isFollowed: false });
    }
    const characters = [...turn.texts.values()].reduce((sum, length) => sum + length, 0);
    const bytes = stream.bytes() - bytesBefore;
    return { characters, firstTextAt: turn.firstTextAt, bytes, openCall };
  };

  /** The response is the turn's stream. */
  const create = async (chat, content) => {
    const body = {
      content,
      ...(chat.tools && { dynamic_tools: [CLIENT_TOOL] }),
      ...(chosen && { tools: chosen }),
    };
    chat.stream = await openStream(chat, { method: "POST", path: `${API}/chats`, body });
    chat.isFollowed = true;
  };

  const startChat = (chat, content) => runTurn(chat, () => create(chat, content));

  return {
    name: "Parley",
    createChat,
    send: (chat, content) =>
      chat.id
        ? runTurn(chat, () => post(`/chats/${chat.id}/messages`, { content }))
        : startChat(chat, content),
    answer: (chat, tool_call_id, output) =>
      runTurn(chat, () =>
        post(`/chats/${chat.id}/tool-results`, { results: [{ tool_call_id, output }] }),
      ),
    close: (chat) => {
      chat.stream?.close();
      chat.stream = undefined;
    },
    prepareWatchers: (count, kind) => prepareWatchers({ base, post, startChat }, count, kind),
  };
};
