import { DomainError } from "@/contract/domain-error";
import type { Actor } from "@/server/context";
import { hasScope } from "@/server/credential-rights";
import type { Queryable } from "@/server/db/connection/database";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { findKeyActor } from "./api-keys";
import type { TokenClaims } from "./tokens";

/**
 * Finds for whom a token acts: its key, with less rights.
 *
 * @throws {DomainError} `unauthorized` for one that has ended, by itself or with its key.
 */
export const findTokenActor = async (db: Queryable, claims: TokenClaims): Promise<Actor> => {
  const { id, keyId, scopes, chatId, labels, origin = null } = claims;
  const key = await findKeyActor(db, { id: keyId });
  const isOver = claims.expiresAt <= (await readClock(db)).getTime();
  if (key?.credential.type !== "api_key" || isOver) throw createEndedError();
  const { credential } = key;
  const ends = [
    claims.expiresAt,
    ...(credential.expiresAt ? [credential.expiresAt.getTime()] : []),
  ];
  return {
    ...key,
    chatId,
    labels: labels ? { ...labels, ...key.labels } : key.labels,
    credential: {
      ...credential,
      scopes: scopes.filter((scope) => hasScope(credential, scope)),
      expiresAt: new Date(Math.min(...ends)),
      token: { id, origin },
    },
  };
};

const createEndedError = (): DomainError =>
  new DomainError(
    "unauthorized",
    "This token has ended, by itself or with its API key. Get another one from the program that made it.",
  );

/**
 * Requires that a token is used where it is for.
 *
 * @throws {DomainError} `forbidden` for another origin than that of the token, or none.
 */
export const requireTokenOrigin = ({ credential }: Actor, headers: Headers): void => {
  const origin = credential.type === "api_key" ? credential.token?.origin : undefined;
  if (!origin || headers.get("origin") === origin) return;
  throw new DomainError("forbidden", `This token is for pages of ${origin} only.`, {
    shouldRetry: false,
  });
};
