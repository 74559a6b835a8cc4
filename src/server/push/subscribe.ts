import { DomainError } from "@/contract/domain-error";
import type { SubscribeInput } from "@/contract/push";
import type { ServerContext } from "@/server/context";
import {
  findPushSubscription,
  listPushSubscriptions,
  type PushSubscriptionRow,
} from "@/server/db/push/push-subscription-reads";
import {
  deletePushSubscription,
  savePushSubscription,
} from "@/server/db/push/push-subscription-writes";
import { isPublicKey } from "./encrypt-payload";

/** Browsers of one person that are notified; each gets each notification. */
const MAX_SUBSCRIPTIONS = 20;

/**
 * Subscribes the browser of the caller's session to notifications, or replaces what it is notified of. A browser that
 * another account has subscribed is now the caller's, who is signed in there.
 *
 * @throws {DomainError} `invalid` for keys that cannot be used, `conflict` for too many browsers.
 */
export const subscribe = async (
  { db, actor, newId, push }: ServerContext,
  { endpoint, keys, ...choice }: SubscribeInput,
): Promise<PushSubscriptionRow> => {
  if (!isPublicKey(keys.p256dh)) {
    throw new DomainError("invalid", "The public key of the browser is not valid.", {
      errors: [{ pointer: "/keys/p256dh", message: "must be a point of the curve P-256" }],
      shouldRetry: false,
    });
  }
  const { userId, credential } = actor;
  // Keys that are made later would remove the subscription.
  await push.readPublicKey();
  return db.transaction(async (tx) => {
    const others = (await listPushSubscriptions(tx, userId)).filter(
      (one) => one.endpoint !== endpoint,
    );
    if (others.length >= MAX_SUBSCRIPTIONS) {
      throw new DomainError(
        "conflict",
        `${MAX_SUBSCRIPTIONS} browsers of this account are notified already. Remove one of them first.`,
        { shouldRetry: false },
      );
    }
    const id = await savePushSubscription(tx, {
      id: newId(),
      userId,
      sessionId: credential.id,
      endpoint,
      ...keys,
      needsYou: choice.needs_you,
      done: choice.done,
      withText: choice.with_text,
    });
    const saved = await findPushSubscription(tx, { id, userId });
    if (!saved) throw new Error("a subscription that was stored is not found");
    return saved;
  });
};

/** @throws {DomainError} `not_found`. */
export const unsubscribe = async ({ db, actor }: ServerContext, id: string): Promise<void> => {
  if (await deletePushSubscription(db, { id, userId: actor.userId })) return;
  throw createNotFound(id);
};

/** Sends a notification to one browser. @returns why it was not taken, as a sentence. @throws {DomainError} `not_found`. */
export const testSubscription = async (
  { db, actor, push }: ServerContext,
  id: string,
): Promise<string | undefined> => {
  const subscription = await findPushSubscription(db, { id, userId: actor.userId });
  if (!subscription) throw createNotFound(id);
  return push.sendTest(subscription);
};

const createNotFound = (id: string): DomainError =>
  new DomainError("not_found", `There is no subscription "${id}".`);
