import type { Model, ProviderName } from "@/contract/model";

export const PROVIDER_LABEL: Record<ProviderName, string> = {
  demo: "Demo",
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google",
  "openai-compatible": "OpenAI-compatible",
};

/** The variables of the server that a model's key and address can come from. */
const VARIABLE: Record<Exclude<ProviderName, "demo">, string> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  "openai-compatible": "OPENAI_COMPATIBLE_BASE_URL",
};

/** Says where the key of a model comes from. */
export const describeKey = ({ provider, access }: Model): string | undefined => {
  if (provider === "demo") return "Needs no key";
  if (access?.from_environment && access.problem === undefined) {
    return `Key and address from ${VARIABLE[provider]}`;
  }
  switch (access?.key) {
    case "settings":
      return "Key stored";
    case "none":
      return "No key";
    case "unreadable":
      return "Key cannot be read";
    case "environment":
    case undefined:
      return undefined;
  }
};

/** Says why key and address of a model cannot be changed here; undefined if they can. */
export const findAccessLock = ({ provider, access }: Model): string | undefined => {
  if (provider === "demo") return "The demo model needs no key and no address.";
  const isLocked =
    access?.source === "environment" && access.from_environment && access.problem === undefined;
  return isLocked
    ? `The key and the address come from the environment of the server (${VARIABLE[provider]}). Change them there, and restart.`
    : undefined;
};
