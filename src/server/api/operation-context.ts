import { v7 as newId } from "uuid";
import type { ApiKeyScope } from "@/contract/api-key";
import { DomainError } from "@/contract/domain-error";
import { hasScope, listScopes } from "@/server/credential-rights";
import type { AuthServices } from "@/server/auth/auth-services";
import type { Credential, ServerContext } from "@/server/context";
import type { ChatStreamDeps } from "@/server/stream/stream-chat-events";
import type { ViewerFeeds } from "@/server/stream/viewer-feed";

/** What a caller needs for an operation: a key of that scope, or a signed-in browser. */
export type OperationScope = ApiKeyScope | "session";

/** What an operation may touch: all of a verb's context, and the services for accounts. */
export type OperationContext = ServerContext &
  StreamDeps & {
    auth: AuthServices;
    /** Aborted when the client of the request is gone. */
    signal: AbortSignal;
  };

/** What the streams of a process share. */
type StreamDeps = Pick<ChatStreamDeps, "notifications" | "relay"> & { feeds: ViewerFeeds };

/** What all requests of a process share. */
export type SharedDeps = Omit<ServerContext, "db" | "actor" | "newId"> &
  StreamDeps & { auth: AuthServices };

/**
 * Creates the context in which one operation runs. Every transport needs it, so this is the place
 * that checks the caller's scope.
 *
 * @throws {DomainError} `forbidden`.
 */
export const createOperationContext = (
  deps: SharedDeps,
  { actor, signal }: Pick<OperationContext, "actor" | "signal">,
  { scope }: { scope: OperationScope },
): OperationContext => {
  requireScope(actor.credential, scope);
  return { ...deps, db: deps.auth.db, actor, signal, newId };
};

/** @throws {DomainError} `forbidden`. */
export const requireScope = (credential: Credential, needed: OperationScope): void => {
  if (needed === "session" ? credential.type === "session" : hasScope(credential, needed)) return;
  const remedy =
    needed === "session"
      ? "This needs a signed-in browser: an API key cannot do it."
      : `This needs an API key with the scope "${needed}"; this key has ${listScopes(credential)}.`;
  throw new DomainError("forbidden", remedy, { shouldRetry: false });
};
