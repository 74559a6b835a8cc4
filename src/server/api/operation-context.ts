import { v7 as newId } from "uuid";
import type { ApiKeyScope } from "@/contract/api-key";
import { DomainError } from "@/contract/domain-error";
import { hasScope, listScopes, requireWholeAccount } from "@/server/credential-rights";
import type { AuthServices } from "@/server/auth/auth-services";
import type { Credential, ServerContext } from "@/server/context";
import type { NewChatSubscription } from "@/server/stream/chat-subscription";
import type { ClaimQueue } from "@/server/stream/claim-queue";
import type { RunnerPresence } from "@/server/stream/runner-presence";
import type { ChatStreamDeps } from "@/server/stream/stream-chat-events";
import type { ViewerFeeds } from "@/server/stream/viewer-feed";

/** What a caller needs for an operation: a key with that scope, any key itself, or a signed-in browser. */
export type OperationScope = ApiKeyScope | "key" | "session";

/** Who may use an operation. */
export type Access = {
  scope: OperationScope;
  /** Another scope, which is enough for a part of the operation. What is part of it, the operation decides. */
  partScope?: ApiKeyScope;
  /** It is about the account as a whole: not for a key or a token that sees some chats only. */
  isOfAccount?: true;
};

/** What an operation may touch: all of a verb's context, and the services for accounts. */
export type OperationContext = ServerContext &
  StreamDeps & {
    auth: AuthServices;
    newChat?: NewChatSubscription | undefined;
    /** Aborted when the client of the request is gone. */
    signal: AbortSignal;
  };

/** What the streams of a process, and the requests that wait, share. */
type StreamDeps = Pick<ChatStreamDeps, "notifications" | "readChanges" | "relay"> & {
  feeds: ViewerFeeds;
  claims: ClaimQueue;
  runners: RunnerPresence;
};

/** What all requests of a process share. */
export type SharedDeps = Omit<ServerContext, "db" | "actor" | "newId" | "newChat"> &
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
  { scope, partScope, isOfAccount }: Access,
): OperationContext => {
  if (!partScope || !hasScope(actor.credential, partScope)) requireScope(actor.credential, scope);
  if (isOfAccount) requireWholeAccount(actor);
  return { ...deps, db: deps.auth.db, actor, signal, newId };
};

/** @throws {DomainError} `forbidden`. */
export const requireScope = (credential: Credential, needed: OperationScope): void => {
  if (isSufficient(credential, needed)) return;
  throw new DomainError("forbidden", describeRemedy(credential, needed), { shouldRetry: false });
};

const isSufficient = (credential: Credential, needed: OperationScope): boolean => {
  if (needed === "session") return credential.type === "session";
  if (needed === "key") return credential.type === "api_key" && credential.token === undefined;
  return hasScope(credential, needed);
};

const describeRemedy = (credential: Credential, needed: OperationScope): string => {
  if (needed === "session") return "This needs a signed-in browser: an API key cannot do it.";
  if (needed === "key") return "This needs an API key: neither a browser nor a token can do it.";
  return `This needs an API key with the scope "${needed}"; this key has ${listScopes(credential)}.`;
};
