import type { Model } from "@/contract/model";
import { findNeededVariable, PROVIDERS } from "@/contract/providers";

/** Says where the key of a model comes from. */
export const describeKey = ({ provider, access }: Model): string | undefined => {
  if (PROVIDERS[provider].needs === "nothing") return "Needs no key";
  if (access?.from_environment && access.problem === undefined) {
    return `Key and address from ${findNeededVariable(provider)}`;
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
  const { needs, title } = PROVIDERS[provider];
  if (needs === "nothing") return `${title} needs no key and no address.`;
  const isLocked =
    access?.source === "environment" && access.from_environment && access.problem === undefined;
  return isLocked
    ? `The key and the address come from the environment of the server (${findNeededVariable(provider)}). Change them there, and restart.`
    : undefined;
};
