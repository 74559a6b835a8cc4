import type {
  PushSubscription,
  PushSubscriptionList,
  PushTest,
  SubscribeInput,
} from "@/contract/push";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";

const CHOICE = {
  needs_you: [
    "When a chat needs the person: for `all` chats, for `own` ones, in which a person has written last, or `off`.",
  ],
  done: ["When an answer is done or has failed: `all`, `own` or `off`, as above."],
  with_text: ["True: the notification also has the beginning of the answer."],
} as const satisfies Record<string, FieldText>;

const SUBSCRIPTION_ID = {
  subscription_id: ["The id of the subscription.", "0198c0de-0000-7000-8000-00000000000a"],
} as const satisfies Record<string, FieldText>;

export const PUSH_TEXTS = {
  PushSubscriptionList: {
    public_key: [
      "The key of the server by which push services know it, for `applicationServerKey`.",
      "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
    ],
    data: ["The browsers of the account that are notified."],
  } satisfies FieldTexts<PushSubscriptionList>,
  PushSubscription: {
    id: ["The id of the subscription."],
    endpoint: ["The address of the push service.", "https://push.example.org/send/q7Tz0"],
    ...CHOICE,
    user_agent: ["The browser's header at sign-in; null if it sent none.", "Mozilla/5.0"],
    created_at: ["When the browser was subscribed."],
  } satisfies FieldTexts<PushSubscription>,
  "notifications.subscribe": {
    endpoint: ["The address of the push service.", "https://push.example.org/send/q7Tz0"],
    keys: ["What the notifications are encrypted with."],
    "keys.p256dh": [
      "The public key of the browser.",
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    ],
    "keys.auth": ["The secret that the browser has made.", "BTBZMqHH6r4Tts7J_aSIgg"],
    ...CHOICE,
  } satisfies FieldTexts<SubscribeInput>,
  "notifications.unsubscribe": SUBSCRIPTION_ID,
  "notifications.test": SUBSCRIPTION_ID,
  PushTest: {
    problem: ["Why the push service has not taken the notification; null if it has.", null],
  } satisfies FieldTexts<PushTest>,
} satisfies SchemaTexts;
