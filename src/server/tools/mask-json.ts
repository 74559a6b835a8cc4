import type { JsonValue } from "@/contract/json";
import { tryParseJson } from "@/lib/exact-json";
import { maskSecrets } from "@/server/mask-secrets";
import { mapStrings } from "./map-texts";

/**
 * Masks the secrets in all texts of a JSON value, and those that only several texts make, such as the lines of a private key.
 *
 * @throws {TypeError} when the value is not JSON.
 */
export const maskJson = (value: JsonValue): JsonValue => {
  if (typeof value === "string") return maskSecrets(value);
  const masked = mapStrings(value, maskSecrets);
  const text = JSON.stringify(masked);
  const maskedText = maskSecrets(text);
  if (maskedText === text) return masked;
  // What is no JSON any more is kept as a text.
  return (tryParseJson(maskedText) as JsonValue | undefined) ?? maskedText;
};
