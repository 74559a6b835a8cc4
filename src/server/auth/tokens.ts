import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { ApiKeyScope } from "@/contract/api-key";
import type { Labels } from "@/contract/labels";

/** What a token says of itself. */
export type TokenClaims = {
  id: string;
  keyId: string;
  scopes: ApiKeyScope[];
  chatId?: string | undefined;
  labels?: Labels | undefined;
  origin?: string | undefined;
  /** In milliseconds since 1970. */
  expiresAt: number;
};

const PREFIX = "pt_";

export type Tokens = ReturnType<typeof createTokens>;

/** Creates what signs tokens and reads them again. A token is stored nowhere. */
export const createTokens = (secret: string) => {
  const sign = (text: string): Buffer =>
    createHmac("sha256", secret).update(`token\0${text}`).digest();
  return {
    create: (claims: Omit<TokenClaims, "id">): string => {
      const id = randomBytes(12).toString("base64url");
      const text = Buffer.from(JSON.stringify({ id, ...claims })).toString("base64url");
      return `${PREFIX}${text}.${sign(text).toString("base64url")}`;
    },
    isToken: (text: string): boolean => text.startsWith(PREFIX),
    /** @returns undefined for a token that this server has not made. */
    read: (token: string): TokenClaims | undefined => {
      const [text = "", signature = "", ...more] = token.slice(PREFIX.length).split(".");
      const given = Buffer.from(signature, "base64url");
      const expected = sign(text);
      // Another spelling of the same bytes would be another text for the cache of credentials.
      const isGenuine =
        given.length === expected.length &&
        timingSafeEqual(given, expected) &&
        given.toString("base64url") === signature;
      if (!isGenuine || more.length > 0) return undefined;
      return JSON.parse(Buffer.from(text, "base64url").toString()) as TokenClaims;
    },
  };
};
