import type { ApiKeyScope } from "@/contract/api-key";
import type { JsonObject } from "@/contract/json";

/** What people make keys for, the most common first. `other` has the scopes that are chosen. */
export type KeyPurpose = "tools" | "chat" | "read" | "admin" | "other";

export const PURPOSES: readonly { value: KeyPurpose; label: string; hint: string }[] = [
  {
    value: "tools",
    label: "A program that answers tools",
    hint: "Answers the calls of its tools, and sees no messages.",
  },
  {
    value: "chat",
    label: "A program that chats",
    hint: "Sees, starts and changes your chats, answers their tools and decides on approvals.",
  },
  {
    value: "read",
    label: "A program that reads",
    hint: "Sees your chats and their results, and changes nothing.",
  },
  {
    value: "admin",
    label: "An administrator",
    hint: "Does everything that you do, also in the settings, and makes and revokes API keys.",
  },
  { value: "other", label: "Something else", hint: "Has the scopes that you choose." },
];

const SCOPES: Record<Exclude<KeyPurpose, "other">, readonly ApiKeyScope[]> = {
  tools: ["calls:answer"],
  chat: ["read", "chat", "calls:answer", "approvals:decide"],
  read: ["read"],
  admin: ["read", "chat", "calls:answer", "approvals:decide", "toolsets:write", "admin"],
};

export const isPurpose = (value: unknown): value is KeyPurpose =>
  PURPOSES.some((purpose) => purpose.value === value);

/** Converts the values of the form to what is sent. A program that answers the tools of toolsets declares these, too. */
export const toKeyInput = ({ purpose, scopes = [], only, ...values }: JsonObject): JsonObject => {
  const given = Object.fromEntries(
    Object.entries((only ?? {}) as JsonObject).filter(
      ([, value]) => (value as unknown) !== undefined,
    ),
  );
  const chosen = isPurpose(purpose) && purpose !== "other" ? SCOPES[purpose] : undefined;
  const declares: readonly ApiKeyScope[] =
    purpose === "tools" && "toolsets" in given ? ["toolsets:write"] : [];
  return {
    ...values,
    scopes: chosen ? [...chosen, ...declares] : scopes,
    ...(Object.keys(given).length > 0 && { only: given }),
  };
};
