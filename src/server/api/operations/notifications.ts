import * as z from "zod";
import { PushSubscription, PushSubscriptionList, PushTest, SubscribeInput } from "@/contract/push";
import {
  listPushSubscriptions,
  type PushSubscriptionRow,
} from "@/server/db/push/push-subscription-reads";
import { subscribe, testSubscription, unsubscribe } from "@/server/push/subscribe";
import { defineOperation } from "@/server/api/operation";

const SubscriptionPath = z.strictObject({ subscription_id: z.string() });

export const listSubscriptionsOperation = defineOperation({
  name: "notifications.list",
  method: "GET",
  path: "/notifications/subscriptions",
  summary: "List the browsers of the caller that are notified, with the key to subscribe one",
  scope: "admin",
  input: z.strictObject({}),
  output: PushSubscriptionList,
  status: 200,
  run: async ({ db, actor, push }) => ({
    public_key: await push.readPublicKey(),
    data: (await listPushSubscriptions(db, actor.userId)).map(toWireSubscription),
  }),
});

export const subscribeOperation = defineOperation({
  name: "notifications.subscribe",
  method: "POST",
  path: "/notifications/subscriptions",
  summary: "Notify the caller's browser, or change what it is notified of; ends with its session",
  scope: "session",
  input: SubscribeInput,
  output: PushSubscription,
  status: 201,
  ignoresIdempotencyKey: true,
  run: async (ctx, input) => toWireSubscription(await subscribe(ctx, input)),
});

export const unsubscribeOperation = defineOperation({
  name: "notifications.unsubscribe",
  method: "DELETE",
  path: "/notifications/subscriptions/{subscription_id}",
  summary: "Notify a browser no more",
  scope: "admin",
  input: SubscriptionPath,
  output: z.void(),
  status: 204,
  run: (ctx, { subscription_id }) => unsubscribe(ctx, subscription_id),
});

export const testSubscriptionOperation = defineOperation({
  name: "notifications.test",
  method: "POST",
  path: "/notifications/subscriptions/{subscription_id}/test",
  summary: "Send a notification to a browser that says it is a test",
  scope: "admin",
  input: SubscriptionPath,
  output: PushTest,
  status: 200,
  ignoresIdempotencyKey: true,
  run: async (ctx, { subscription_id }) => ({
    problem: (await testSubscription(ctx, subscription_id)) ?? null,
  }),
});

const toWireSubscription = (row: PushSubscriptionRow): PushSubscription => ({
  id: row.id,
  endpoint: row.endpoint,
  needs_you: row.needsYou,
  done: row.done,
  with_text: row.withText,
  user_agent: row.userAgent,
  created_at: row.createdAt.toISOString(),
});
