import * as z from "zod";
import { isLoopback } from "@/lib/is-loopback";

/** For which chats a browser is notified: `own` leaves out those in which a program has written last. */
export const PushScope = z.enum(["all", "own", "off"]);
export type PushScope = z.infer<typeof PushScope>;

/** What a browser is notified of. */
const Choice = z.strictObject({
  needs_you: PushScope.default("all"),
  done: PushScope.default("own"),
  /** Whether more of a chat than its title may be sent to the browser, by the push service. */
  with_text: z.boolean().default(false),
});
export type PushChoice = z.infer<typeof Choice>;

/** Longest address; those of the services of browsers have about 200 characters. */
const MAX_ENDPOINT_LENGTH = 2_000;

/** The address of a push service. Only one on this machine may do without https. */
const isEndpoint = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
};

const Endpoint = z
  .string()
  .max(MAX_ENDPOINT_LENGTH)
  .refine(isEndpoint, "must be an https: URL without a user name");

/** A number of bytes as base64url, without padding as browsers write it. */
const base64url = (bytes: number) =>
  z
    .string()
    .length(Math.ceil((bytes * 4) / 3), `must be ${bytes} bytes`)
    .regex(/^[\w-]*$/, "must be base64url");

/** The lengths of a point on the curve P-256, and of the secret (RFC 8291). */
const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;

/** What the browser has made to be notified, as its `PushSubscription.toJSON()` has it. */
export const SubscribeInput = Choice.extend({
  endpoint: Endpoint,
  keys: z.strictObject({ p256dh: base64url(PUBLIC_KEY_BYTES), auth: base64url(AUTH_BYTES) }),
});
export type SubscribeInput = z.infer<typeof SubscribeInput>;

/** A browser that is notified. */
export const PushSubscription = z
  .object({
    id: z.uuid(),
    endpoint: z.string(),
    needs_you: PushScope,
    done: PushScope,
    with_text: z.boolean(),
    /** The browser's `user-agent` header at sign-in. */
    user_agent: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "PushSubscription" });
export type PushSubscription = z.infer<typeof PushSubscription>;

export const PushSubscriptionList = z
  .object({
    /** The server's key, by which push services know it: `applicationServerKey` in browsers. */
    public_key: z.string(),
    data: z.array(PushSubscription),
  })
  .meta({ id: "PushSubscriptionList" });
export type PushSubscriptionList = z.infer<typeof PushSubscriptionList>;

export const PushTest = z
  .object({
    /** Why the push service has not taken the notification, as a sentence; null if it has. */
    problem: z.string().nullable(),
  })
  .meta({ id: "PushTest" });
export type PushTest = z.infer<typeof PushTest>;

/** Whether a browser can be notified; and if not, why. */
export type PushSupport = "ready" | "blocked" | "insecure" | "needs-install" | "unsupported";

/** What the server sends, and the service worker shows. Nothing but the title is of the chat, unless the person says so. */
export type PushPayload = {
  kind: "needs_you" | "done" | "failed" | "test";
  /** The chat that a click opens; null opens the list of browsers. */
  chat_id: string | null;
  title: string;
  /** The end of its last answer. */
  text?: string | undefined;
};
