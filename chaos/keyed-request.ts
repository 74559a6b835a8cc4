import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Problem } from "@/contract/problem";
import type { Api } from "../e2e/api";
import type { Answer, Ledger } from "./ledger";
import type { Random } from "./random";

/** A client gives up waiting after this time and asks again. */
const ATTEMPT_TIMEOUT_MS = 5_000;
const RETRY_PAUSE_MS = 150;
/** Longer than any fault lasts and than the server needs after it. */
const GIVE_UP_MS = 60_000;
/** Share of requests that are sent twice at the same time, as impatient clients do. */
const TWIN_SHARE = 0.2;

type KeyedRequest = { route: string; body: object; key: string };

/** Sends a request with a key until it is answered; undefined if it never is. */
export type KeyedPost = (route: string, body: object, key?: string) => Promise<Answer | undefined>;

/** Creates a function that also records what was acknowledged, and that a key has been used twice. */
export const createKeyedPost =
  ({ api, ledger, random }: { api: Api; ledger: Ledger; random: Random }): KeyedPost =>
  async (route, body, key = randomUUID()) => {
    const request = { route, body, key };
    const times = random.next() < TWIN_SHARE ? 2 : 1;
    const answers = await Promise.all(
      Array.from({ length: times }, () => postUntilAnswered(api, request)),
    );
    if (answers.includes(undefined)) {
      ledger.report("stuck", `${route} with the key ${key} was not answered`);
    }
    const acknowledged = answers.filter((answer) => answer !== undefined && isSuccess(answer));
    const ids = new Set(acknowledged.map((answer) => readId(answer?.body)));
    if (ids.size > 1) {
      ledger.report("doubled", `${route} with the key ${key} created ${[...ids].join(" and ")}`);
    }
    const answer = acknowledged[0] ?? answers.find((refusal) => refusal?.isUncertain) ?? answers[0];
    if (answer && isSuccess(answer)) {
      ledger.acknowledged += 1;
      ledger.answers.push({ ...request, status: answer.status, id: readId(answer.body) });
    }
    return answer;
  };

const isSuccess = ({ status }: Answer): boolean => status < 300;

/**
 * Sends a request with its `Idempotency-Key` again and again until the server answers it.
 *
 * @returns undefined if it does not, long after each fault.
 */
export const postUntilAnswered = async (
  api: Api,
  { route, body, key }: KeyedRequest,
): Promise<Answer | undefined> => {
  const end = performance.now() + GIVE_UP_MS;
  let hasGivenUp = false;
  while (performance.now() < end) {
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    try {
      const answer = await api.request(route, body, { "idempotency-key": key }, signal);
      if (isFinal(answer)) return { ...answer, isUncertain: hasGivenUp && !isSuccess(answer) };
    } catch {
      // The connection broke, or the answer was cut: the key makes the repetition safe.
      hasGivenUp ||= signal.aborted;
    }
    await pause(RETRY_PAUSE_MS);
  }
  return undefined;
};

/**
 * A 409 with `Retry-After` says that the first request with the key was carried out a moment ago, or that the step still runs.
 * The end of somebody else's lease is not waited for.
 */
const isFinal = ({ status, headers, body }: Awaited<ReturnType<Api["request"]>>): boolean =>
  status < 500 &&
  !(
    status === 409 &&
    headers.has("retry-after") &&
    (body as Partial<Problem> | undefined)?.reason !== "call_claimed"
  );

/** @returns the id of what a request created: a chat, or a message in the history or the queue. */
export const readId = (body: unknown): string | undefined => {
  const fields = (body ?? {}) as Record<string, { id: string } | string | undefined>;
  const created = fields.message ?? fields.queued_message ?? fields.id;
  return typeof created === "object" ? created.id : created;
};
