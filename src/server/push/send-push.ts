import { getErrorMessage } from "@/lib/error-message";
import { parseRetryAfter } from "@/server/model/parse-retry-after";
import type { GuardedRequest } from "@/server/net/guarded-fetch";
import { type BrowserKeys, encryptPayload } from "./encrypt-payload";
import type { ServerKeys } from "./server-keys";

/** One notification for one browser. */
export type PushMessage = {
  /** An address that a stranger may have chosen. */
  endpoint: string;
  browser: BrowserKeys;
  payload: string;
  /** Seconds for which the service keeps it for a browser that is not reachable. */
  ttlSeconds: number;
  urgency: "normal" | "high";
  /** The service keeps the last one of a topic only; at most 32 characters of base64url. */
  topic?: string | undefined;
};

export type PushOutcome =
  | { type: "sent" }
  /** The service does not know the browser any more. */
  | { type: "gone" }
  /** It may be sent later, as soon as the service says if it says so. */
  | { type: "retry"; afterMs: number | undefined; problem: string }
  | { type: "refused"; problem: string };

type SendDeps = { request: GuardedRequest; keys: ServerKeys };

/** A service that takes longer is tried again. */
const TIMEOUT_MS = 10_000;

/** Sends a notification to the push service of a browser (RFC 8030). Does not reject. */
export const sendPush = async (
  { request, keys }: SendDeps,
  message: PushMessage,
): Promise<PushOutcome> => {
  const { ttlSeconds, urgency, topic } = message;
  const url = new URL(message.endpoint);
  const body = encryptPayload(message.payload, message.browser);
  try {
    const response = await request(url, {
      method: "POST",
      headers: {
        authorization: keys.authorize(url, new Date()),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(ttlSeconds),
        urgency,
        ...(topic !== undefined && { topic }),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return toOutcome(response, url);
  } catch (error) {
    return { type: "retry", afterMs: undefined, problem: getErrorMessage(error) };
  }
};

const toOutcome = (
  { ok, status, headers }: { ok: boolean; status: number; headers: { get: Headers["get"] } },
  { host }: URL,
): PushOutcome => {
  if (ok) return { type: "sent" };
  if (status === 404 || status === 410) return { type: "gone" };
  const problem = `${host} answered with the status ${status}.`;
  if (status !== 429 && status < 500) return { type: "refused", problem };
  const retryAfter = headers.get("retry-after");
  const afterMs = parseRetryAfter(
    retryAfter === null ? undefined : { "retry-after": retryAfter },
    new Date(),
  );
  return { type: "retry", afterMs, problem };
};
