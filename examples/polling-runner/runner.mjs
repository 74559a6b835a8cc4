// Runs the tools of a module wherever a chat calls them: node runner.mjs tools.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

const { PARLEY_URL = "http://127.0.0.1:3000", PARLEY_API_KEY, HOLDER = hostname() } = process.env;
const { JOURNAL = "journal", CONCURRENCY = 4, LEASE_SECONDS = 60 } = process.env;
const tools = await import(new URL(process.argv[2], `file://${process.cwd()}/`).href);
const headers = { authorization: `Bearer ${PARLEY_API_KEY}`, "content-type": "application/json" };
const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"]) process.once(name, () => stop.abort());

/** Repeats a request until it is answered, as each may come twice. Rejects when it is aborted. */
const post = async (path, body, signal = new AbortController().signal) => {
  for (let tries = 0; ; tries += 1) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(60_000)]);
    const request = { method: "POST", headers, body: JSON.stringify(body), signal: limit };
    const response = await fetch(`${PARLEY_URL}/api/v1${path}`, request).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    const seconds = response?.headers.get("retry-after");
    if (text !== undefined && response.status < 500 && !seconds) return [response.status, text];
    await pause((Number(seconds) || Math.min(2 ** tries, 10)) * 1000, undefined, { signal });
  }
};

/** Renews the lease of a call, and aborts the work on it when it is closed or another program's. */
const keepLease = async (path, token, work) => {
  for (;;) {
    await pause((LEASE_SECONDS * 1000) / 3, undefined, { signal: work.signal });
    const [status] = await post(`${path}/heartbeat`, { token }, work.signal);
    if (status >= 400) work.abort();
  }
};

const run = async ({ tool_name, args, attempt }, { key, journal, work }) => {
  const tool = tools[tool_name];
  // This program had begun it when it was killed.
  if (!tool.repeatable && readFileSync(journal, { encoding: "utf8", flag: "a+" }) === key)
    return { output: "Unknown: it was interrupted. It may have taken effect.", is_error: true };
  if (stop.signal.aborted) return undefined;
  if (!tool.repeatable) writeFileSync(journal, key, { flush: true });
  const signal = tool.repeatable ? AbortSignal.any([work.signal, stop.signal]) : work.signal;
  try {
    return { output: (await tool.run(args, { key, attempt, signal })) ?? null };
  } catch (error) {
    return signal.aborted ? undefined : { output: String(error), is_error: true };
  }
};

const handle = async (call, journal) => {
  const path = `/chats/${call.chat_id}/tool-calls/${encodeURIComponent(call.tool_call_id)}`;
  const key = `${call.chat_id}/${call.message_id}/${call.tool_call_id}`;
  const [{ token }, work] = [call.claim, new AbortController()];
  keepLease(path, token, work).catch(() => undefined);
  const result = await run(call, { key, journal, work });
  const send = (body) => post(`${path}/${result ? "result" : "release"}`, { token, ...body });
  let [status, text] = await send(result);
  // Too large, or not as the schema of the tool: the model reads why.
  if (result && [400, 413].includes(status))
    [status, text] = await send({ output: text, is_error: true });
  console.log(`${call.tool_name} ${key}: ${status} ${text}`);
  work.abort();
};

/** Handles one call at a time: what its holder has when it claims was lost by a cut or a restart. */
const runSlot = async (slot) => {
  const wanted = { holder: `${HOLDER}/${slot}`, tools: Object.keys(tools), resume: true };
  for (let isLast = false; !isLast;) {
    isLast = stop.signal.aborted; // It gives back what an aborted claim may have got.
    const signal = isLast ? AbortSignal.timeout(5000) : stop.signal;
    const body = { ...wanted, lease_seconds: Number(LEASE_SECONDS), wait_seconds: isLast ? 0 : 30 };
    const [status, text] = await post("/tool-calls/claim", body, signal).catch(() => [0, ""]);
    if (status >= 400) throw new Error(text);
    const [call] = status ? JSON.parse(text).data : [];
    await (call ? handle(call, `${JOURNAL}.${slot}`) : pause(500));
  }
};

await Promise.all(Array.from({ length: Number(CONCURRENCY) }, (_, slot) => runSlot(slot)));
