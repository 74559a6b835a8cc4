import { setTimeout as pause } from "node:timers/promises";

/** What a client needs to reach the server, which changes when that starts again. */
export type KeyedTarget = { url: string; key: string; parked: string[] };

type Answered = { status: number; body: unknown };

/** How long a client waits before it sends a request again. */
const RETRY_MS = 20;
const CLIENTS = 8;

/**
 * Starts clients that write under idempotency keys, each key with a text of its own, and send every
 * request until it is answered, whatever happens to the server.
 *
 * @param target the server as it is now; its parked chats are taken out one by one.
 */
export const startKeyedClients = (target: () => KeyedTarget) => {
  /** Texts of the requests that were accepted. */
  const accepted = { chats: new Map<string, string>(), messages: new Map<string, string>() };
  const answers = new Map<string, string>();
  const unexpected: string[] = [];
  let broken = 0;
  let isStopped = false;
  let counter = 0;

  const post = async (path: string, body: object, key: string): Promise<Answered> => {
    for (;;) {
      const { url, key: apiKey } = target();
      try {
        const response = await fetch(`${url}/api/v1${path}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${apiKey}`,
            "content-type": "application/json",
            "idempotency-key": key,
          },
          body: JSON.stringify(body),
        });
        const text = await response.text();
        const isFinal = response.status < 500 && !response.headers.has("retry-after");
        if (isFinal) return { status: response.status, body: text && JSON.parse(text) };
      } catch {
        // The connection was lost: whether the request was carried out is unknown.
      }
      broken += 1;
      await pause(RETRY_MS);
    }
  };
  const expectStatus = (wanted: number, what: string, { status, body }: Answered): boolean => {
    if (status === wanted) return true;
    unexpected.push(`${what}: ${status} ${JSON.stringify(body)}`);
    return false;
  };

  const act = async (): Promise<void> => {
    const text = `text-${counter++}`;
    const created = await post("/chats", { content: text }, text);
    if (!expectStatus(201, "chat", created)) return;
    const { id } = created.body as { id: string };
    accepted.chats.set(text, id);
    const more = `${text}-more`;
    const sent = await post(`/chats/${id}/messages`, { content: more }, more);
    if (expectStatus(200, "message", sent)) accepted.messages.set(more, id);
    const parkedId = target().parked.pop();
    if (parkedId === undefined) return;
    const results = [{ tool_call_id: "call", output: text }];
    const answered = await post(`/chats/${parkedId}/tool-results`, { results }, text);
    if (expectStatus(204, "tool results", answered)) answers.set(parkedId, text);
  };
  const running = Array.from({ length: CLIENTS }, async () => {
    while (!isStopped) await act();
  });

  return {
    accepted,
    /** Accepted outputs by chat. */
    answers,
    /** Answers that no request may get. */
    unexpected,
    /** How many requests had no answer. */
    broken: (): number => broken,
    /** Ends the clients when the requests under way are answered. */
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.all(running);
    },
  };
};
