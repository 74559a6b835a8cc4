import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import type { Database } from "@/server/db/connection/database";
import {
  hasPushSubscriptions,
  listPushSubscriptions,
  type PushSubscriptionRow,
} from "@/server/db/push/push-subscription-reads";
import { claimNotification, deletePushEndpoint } from "@/server/db/push/push-subscription-writes";
import { readTurnEnd } from "@/server/db/push/turn-end-reads";
import { createCachedRead } from "@/server/db/settings/cached-read";
import { findAttention } from "@/server/db/sql/reads/attention-reads";
import { PUSH_CHANNEL } from "@/server/db/sql/writes/setting-notices";
import type { KeyCipher } from "@/server/model/catalog/key-cipher";
import type { AddressPolicy } from "@/server/net/address-policy";
import { createGuardedRequest } from "@/server/net/guarded-fetch";
import { createPushQueue, waitFor } from "./push-queue";
import { type PushMessage, type PushOutcome, sendPush } from "./send-push";
import { readServerKeys, type ServerKeys } from "./server-keys";
import { classifyTurnEnd, isWanted, toPayload, writePayload } from "./turn-notification";

type PushDeps = {
  db: Database;
  cipher: KeyCipher;
  /** Which addresses of push services are connected to. */
  policy: AddressPolicy;
  /** Where the operator is found: https: or mailto:. */
  contact: string;
  log: Pick<Logger, "warn">;
  /** Waits for programs, and before a notification is tried again; rejects when the signal is aborted. Replaced in tests. */
  wait?: typeof waitFor;
};

/** Notifications of browsers by Web Push (RFC 8030). */
export type Push = ReturnType<typeof createPush>;

const HOUR_SECONDS = 60 * 60;
/** A person is needed until they have answered; that an answer is done is no news the next day. */
const TTL_SECONDS = {
  needs_you: 24 * HOUR_SECONDS,
  done: 8 * HOUR_SECONDS,
  failed: 8 * HOUR_SECONDS,
};
/** Programs that wait for a call claim it within this time: until then nobody knows whether it needs a person. */
const CLAIM_MS = 2_000;
/** A test is looked at now. */
const TEST_TTL_SECONDS = 60;

export const createPush = (deps: PushDeps) => {
  const { db, log, wait = waitFor } = deps;
  const logFailure = (what: string) => (error: unknown) => {
    if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
  };
  const { readKeys, send, applyOutcome, close } = createSender(deps, logFailure);
  const queue = createPushQueue({
    send,
    onOutcome: ({ endpoint }, outcome) => applyOutcome(endpoint, outcome),
    wait,
  });
  const hasSubscriptions = createCachedRead({
    db,
    channel: PUSH_CHANNEL,
    read: () => hasPushSubscriptions(db),
  });
  const programs = createProgramWait(wait);
  /** Does not reject. */
  const notify = async (chatId: string): Promise<void> => {
    try {
      // Most servers have no subscriptions, and their turns need no statement.
      if (!(await hasSubscriptions.get())) return;
      for (const message of await writeMessages(db, chatId, programs.wait)) {
        if (!queue.add(message)) log.warn("a notification was dropped, as too many wait");
      }
    } catch (error) {
      logFailure("notifying of the end of a turn")(error);
    }
  };
  const running = new Set<Promise<void>>();

  return {
    readPublicKey: async (): Promise<string> => (await readKeys()).publicKey,
    /** Learns at once of subscriptions that other processes store. */
    watch: (): Promise<void> => hasSubscriptions.watch(),
    /** Notifies whom the end of a turn concerns, after it has been committed. Returns at once; does not throw. */
    handleTurnEnd: (chatId: string): void => {
      const run = notify(chatId).finally(() => running.delete(run));
      running.add(run);
    },
    /** Sends a notification that says it is a test. @returns why it was not taken, as a sentence. */
    sendTest: async (subscription: PushSubscriptionRow): Promise<string | undefined> => {
      const outcome = await send({
        ...toTarget(subscription),
        payload: toPayload({ kind: "test", chat_id: null, title: "Parley" }),
        ttlSeconds: TEST_TTL_SECONDS,
        urgency: "high",
      });
      applyOutcome(subscription.endpoint, outcome);
      if (outcome.type === "sent") return undefined;
      return outcome.type === "gone"
        ? "The push service does not know this browser any more. Turn notifications on again there."
        : outcome.problem;
    },
    /** Resolves when all that was to be sent has an outcome. */
    settled: async (): Promise<void> => {
      await Promise.all(running);
      await queue.settled();
    },
    stop: async (): Promise<void> => {
      programs.stop();
      await Promise.all(running);
      await queue.stop();
      await close();
    },
  };
};

/** Gives programs the time to claim calls. It is over at once when the process stops. */
const createProgramWait = (wait: typeof waitFor) => {
  const stopping = new AbortController();
  return {
    wait: (): Promise<void> => wait(CLAIM_MS, stopping.signal).catch(() => undefined),
    stop: (): void => stopping.abort(),
  };
};

/** Creates what sends one notification, and does what its outcome asks for. */
const createSender = (
  { db, cipher, policy, contact, log }: PushDeps,
  logFailure: (what: string) => (error: unknown) => void,
) => {
  const { request, close } = createGuardedRequest({ policy });
  let keys: Promise<ServerKeys> | undefined;
  const readKeys = (): Promise<ServerKeys> =>
    (keys ??= readServerKeys({ db, cipher, contact }).catch((error: unknown) => {
      keys = undefined;
      throw error;
    }));
  /** Does not reject. */
  const send = async (message: PushMessage): Promise<PushOutcome> => {
    try {
      return await sendPush({ request, keys: await readKeys() }, message);
    } catch (error) {
      logFailure("encrypting a notification")(error);
      return { type: "refused", problem: "The notification could not be encrypted." };
    }
  };
  const applyOutcome = (endpoint: string, outcome: PushOutcome): void => {
    if (outcome.type === "sent") return;
    if (outcome.type === "gone") {
      deletePushEndpoint(db, endpoint).catch(logFailure("removing a subscription"));
      return;
    }
    // The whole address is a capability: who knows it can try to notify the browser.
    const { host } = new URL(endpoint);
    log.warn({ host, problem: outcome.problem }, "a notification was not delivered");
  };
  return { readKeys, send, applyOutcome, close };
};

/**
 * Writes the notifications of a turn's end that no other process has written.
 *
 * @param waitForPrograms gives programs time to claim the calls, after which it is decided who needs the person; must not throw.
 */
const writeMessages = async (
  db: Database,
  chatId: string,
  waitForPrograms: () => Promise<void>,
): Promise<PushMessage[]> => {
  let found = await findTurnKind(db, chatId);
  if (found?.kind === "needs_you" && found.end.last?.isForPrograms) {
    await waitForPrograms();
    found = await findTurnKind(db, chatId);
  }
  if (!found?.end.last) return [];
  const { kind, end } = found;
  const subscriptions = await listPushSubscriptions(db, end.viewer.userId);
  const wanted = subscriptions.filter((one) => isWanted(one, kind, end));
  if (wanted.length === 0) return [];
  const { revision } = found.end.last;
  if (!(await claimNotification(db, { chatId, revision }))) return [];
  return wanted.map((subscription) => ({
    ...toTarget(subscription),
    payload: writePayload(kind, end, subscription),
    ttlSeconds: TTL_SECONDS[kind],
    urgency: kind === "needs_you" ? "high" : "normal",
    topic: toTopic(end.rootChatId),
  }));
};

/** @returns undefined if there is nothing to notify of. */
const findTurnKind = async (db: Database, chatId: string) => {
  const end = await readTurnEnd(db, chatId);
  if (!end?.last) return undefined;
  const { needsYou } = (await findAttention(db, end.viewer, [chatId]))(chatId);
  const kind = classifyTurnEnd(end, needsYou);
  return kind && { kind, end };
};

const toTarget = ({ endpoint, p256dh, auth }: PushSubscriptionRow) => ({
  endpoint,
  browser: { p256dh, auth },
});

/** Of several notifications of a chat that wait for a browser, the last one is delivered. */
const toTopic = (chatId: string): string =>
  Buffer.from(chatId.replaceAll("-", ""), "hex").toString("base64url");
