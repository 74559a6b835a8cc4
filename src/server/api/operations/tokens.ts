import { DomainError } from "@/contract/domain-error";
import { CreateTokenInput, Token } from "@/contract/token";
import { defineOperation } from "@/server/api/operation";
import { type OperationContext, requireScope } from "@/server/api/operation-context";
import { withViewerLabels } from "@/server/chat/viewer-labels";
import { findRootChatId } from "@/server/db/chats/chat-existence-reads";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { unknownChat } from "@/server/machine/lock-chat";

export const createTokenOperation = defineOperation({
  name: "tokens.create",
  method: "POST",
  path: "/tokens",
  summary: "Make a token for a page, which may do less than the key and ends soon",
  scope: "key",
  input: CreateTokenInput,
  output: Token,
  status: 201,
  ignoresIdempotencyKey: true,
  run: async (ctx, { chat_id, labels, scopes, origin, expires_in_seconds }) => {
    const { credential } = ctx.actor;
    for (const scope of scopes) requireScope(credential, scope);
    if (chat_id !== undefined) await requireReadable(ctx, chat_id);
    withViewerLabels(ctx.actor, labels ?? {});
    const now = (await readClock(ctx.db)).getTime();
    const expiresAt = now + expires_in_seconds * 1_000;
    requireKeyUntil(ctx, expiresAt);
    const claims = { keyId: credential.id, scopes, chatId: chat_id?.toLowerCase(), labels, origin };
    const token = ctx.auth.tokens.create({ ...claims, expiresAt });
    requireSendable(token);
    return { token, expires_at: new Date(expiresAt).toISOString() };
  },
});

/** @throws {DomainError} `not_found`. */
const requireReadable = async ({ db, actor }: OperationContext, chatId: string): Promise<void> => {
  if ((await findRootChatId(db, { chatId, viewer: actor })) === undefined)
    throw unknownChat(chatId);
};

/** @throws {DomainError} `forbidden` when the token would live longer than its key. */
const requireKeyUntil = ({ actor: { credential } }: OperationContext, expiresAt: number): void => {
  const limit = credential.type === "api_key" ? credential.expiresAt : null;
  if (limit === null || expiresAt <= limit.getTime()) return;
  throw new DomainError(
    "forbidden",
    `This key expires at ${limit.toISOString()} and cannot make a token that lives longer: set expires_in_seconds to less.`,
    { shouldRetry: false },
  );
};

/** Servers and proxies take 8 KB of headers, and there are others. */
const MAX_TOKEN_LENGTH = 4_096;

/** @throws {DomainError} `invalid` for a token that no request could have. */
const requireSendable = (token: string): void => {
  if (token.length <= MAX_TOKEN_LENGTH) return;
  const message = `must be fewer or shorter: the token would have more than ${MAX_TOKEN_LENGTH} characters`;
  throw new DomainError("invalid", `/labels ${message}.`, {
    errors: [{ pointer: "/labels", message }],
  });
};
