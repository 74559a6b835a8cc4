// Answers in the threads of a chat platform: node bot.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

const { PARLEY_URL = "http://127.0.0.1:3000", PARLEY_API_KEY, PLATFORM_URL } = process.env;
const { PORT = 3001, STATE = "state.json" } = process.env;
const authorization = `Bearer ${PARLEY_API_KEY}`;

/** Repeats a request until it is answered, as each may come twice: what writes has an id. */
const request = async (url, { body, ...more }) => {
  const headers = { "content-type": "application/json", ...more };
  const options = { method: body ? "POST" : "GET", headers, body: JSON.stringify(body) };
  for (let tries = 0; ; tries += 1) {
    const signal = AbortSignal.timeout(60_000);
    const response = await fetch(url, { ...options, signal }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    const seconds = Number(response?.headers.get("retry-after"));
    if (text !== undefined && response.status < 500 && !seconds) {
      if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    }
    await pause((seconds || Math.min(2 ** tries, 10)) * 1000);
  }
};

/** The platform repeats a message until it is accepted; with its id as the key, it is sent once. */
const webhook = createServer(async (incoming, outgoing) => {
  try {
    const { id, thread, text } = await json(incoming);
    const body = { external_id: thread, if_exists: "send", content: text, labels: { app: "bot" } };
    await request(`${PARLEY_URL}/api/v1/chats`, { authorization, "idempotency-key": id, body });
    outgoing.writeHead(200).end();
  } catch (error) {
    outgoing.writeHead(500).end(String(error));
  }
});

const state = JSON.parse(existsSync(STATE) ? readFileSync(STATE) : '{ "after": "0", "seqs": {} }');

/** Posts all answers since the last one: several turns of the chat may have ended. */
const reply = async ({ type, chat }) => {
  if (type !== "turn.ended" || !chat.external_id || chat.labels.app !== "bot") return;
  const url = `${PARLEY_URL}/api/v1/chats/${chat.id}/messages?after=${state.seqs[chat.id] ?? 0}`;
  for (const { id, role, parts, seq } of (await request(url, { authorization })).data) {
    const isAnswer = role === "assistant" && parts.every((part) => part.type !== "tool_call");
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    const body = { id, thread: chat.external_id, text }; // Posts with the same id are one.
    if (isAnswer && text) await request(`${PLATFORM_URL}/posts`, { body });
    state.seqs[chat.id] = seq;
  }
};

/** Reads what has ended since the last time. The webhook opens when no end can be missed any more. */
const watch = async () => {
  const url = `${PARLEY_URL}/api/v1/watch?types=turn.ended&after=${state.after}`;
  const signal = AbortSignal.timeout(120_000); // A silent cut ends with it.
  const response = await fetch(url, { headers: { authorization }, signal });
  if (!response.ok) throw new Error(await response.text());
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "{}");
      await reply(data);
      state.after = /^id: (.*)$/m.exec(event)?.[1] ?? state.after;
      writeFileSync(`${STATE}.new`, JSON.stringify(state));
      renameSync(`${STATE}.new`, STATE);
      if (data.type === "caught-up" && !webhook.listening) webhook.listen(PORT);
    }
  }
};

for (;;) {
  await watch().catch(console.error);
  await pause(1000);
}
