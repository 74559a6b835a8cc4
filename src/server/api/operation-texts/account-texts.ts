import { MAX_STARTING_TEXTS } from "@/contract/limits";
import type { OperationTexts } from "./operation-text";

const OTHER_LIFE = "`403` for one that would live longer than the key that makes it.";

export const ACCOUNT_OPERATION_TEXTS = {
  "apiKeys.create": {
    about:
      "Give a program the fewest scopes that it needs, and restrict it by `only`. Without an expiry it works until it is revoked. Its `key` is in this answer only: the server stores a hash.",
    refusals: [OTHER_LIFE],
    repetition:
      "Takes no `Idempotency-Key`, as its answer has a secret: a repetition makes another key.",
    examples: {
      minimal: { name: "runner" },
      full: {
        name: "runner-1",
        scopes: ["calls:answer"],
        only: { tools: ["deploy_*"], labels: { app: "slackbot" } },
        expires_in_days: 90,
      },
    },
  },
  "apiKeys.list": { about: "With the first characters of each key, and when it was used last." },
  "apiKeys.revoke": {
    about: "Its requests are a `401` from then on, its streams end, and so do its tokens.",
    refusals: ["`404` for an unknown key."],
    repetition: "A repetition is a `404`.",
  },
  "tokens.create": {
    about:
      "For a script in a page, which everybody can read there: it may do less than the key, in one chat or in chats with labels, from one origin, and for an hour at most. It ends with its key; its streams end with `goodbye`.",
    refusals: [
      "`403` for a scope that the key lacks.",
      "`404` for an unknown `chat_id`.",
      "`403` for labels that the key is not for.",
      OTHER_LIFE,
      "`400` for so many labels that no request could have the token.",
    ],
    repetition:
      "Takes no `Idempotency-Key`, as its answer is a secret: a repetition makes another token.",
    examples: {
      minimal: { scopes: ["read"] },
      full: {
        scopes: ["read", "chat"],
        labels: { app: "slackbot" },
        origin: "https://app.example.com",
        expires_in_seconds: 600,
      },
    },
  },
  "account.sessions": { about: "The newest use first. `current` is the browser that asks." },
  "account.endSession": {
    about: "Its pages ask to sign in again, and their streams end.",
    refusals: ["`404` for an unknown session."],
    repetition: "A repetition is a `404`.",
  },
  "account.changePassword": {
    about: "API keys keep working.",
    refusals: [
      "`429` after too many wrong passwords.",
      "`400` for a wrong current password.",
      "`409` if it was changed meanwhile.",
      "`503` while many passwords are checked.",
    ],
    repetition:
      "Takes no `Idempotency-Key`, as it has secrets: a repetition is a `400`, as the password is another one.",
    examples: {
      minimal: { current_password: "correct horse battery", new_password: "staple correct horse" },
      full: { current_password: "correct horse battery", new_password: "staple correct horse" },
    },
  },
  "notifications.list": {
    about: "`public_key` is what a browser subscribes with, as `applicationServerKey`.",
  },
  "notifications.subscribe": {
    about:
      "A browser that is subscribed already gets the new choice. The subscription ends when its session does.",
    refusals: ["`400` for keys that cannot be used.", "`409` for too many browsers."],
    repetition: "The same again changes nothing.",
    examples: {
      minimal: {
        endpoint: "https://push.example.org/1",
        keys: {
          p256dh:
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          auth: "BTBZMqHH6r4Tts7J_aSIgg",
        },
      },
      full: {
        endpoint: "https://push.example.org/1",
        keys: {
          p256dh:
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          auth: "BTBZMqHH6r4Tts7J_aSIgg",
        },
        needs_you: "own",
        done: "off",
        with_text: true,
      },
    },
  },
  "notifications.unsubscribe": {
    about: "The browser itself keeps its subscription, which nothing is sent to.",
    refusals: ["`404` for an unknown subscription."],
    repetition: "A repetition is a `404`.",
  },
  "notifications.test": {
    about: "`problem` says why the push service did not take it; null if it did.",
    refusals: ["`404` for an unknown subscription."],
    repetition: "A repetition sends another one.",
  },
  "startingTexts.list": { about: "In the order in which they were made." },
  "startingTexts.create": {
    about: "The page of a new chat shows it; a click puts it into the field.",
    refusals: ["`409` if the caller has as many as are allowed."],
    limits: `A person has up to ${MAX_STARTING_TEXTS}.`,
    examples: { minimal: { text: "Translate:" }, full: { text: "Translate to French:" } },
  },
  "startingTexts.delete": {
    about: "Chats that were begun with it do not change.",
    refusals: ["`404` for an unknown text."],
    repetition: "A repetition is a `404`.",
  },
  "imports.create": {
    about:
      "The body is stored while it arrives. A worker then makes the chats one after the other; `imports.get` says how far it is. Chats that are known by their ids are not imported again.",
    refusals: [
      "`409` while another import of the caller is not over.",
      "`413` for what is larger than the server takes.",
      "`400` for what is no archive that can be imported, or breaks off.",
    ],
    repetition: "A repetition is another import, which finds the chats that it knows.",
  },
  "imports.list": { about: "Those that are over stay in the list until they are deleted." },
  "imports.get": {
    about: "`report` has what could not be read, and where.",
    refusals: ["`404` for an unknown import."],
  },
  "imports.delete": {
    about: "With its archive, which the database has kept until then.",
    refusals: ["`404` for an unknown import."],
    repetition: "A repetition is a `404`.",
  },
} as const satisfies OperationTexts;
