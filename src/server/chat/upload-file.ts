import { DomainError } from "@/contract/domain-error";
import type { Artifact } from "@/contract/part";
import type { ServerContext } from "@/server/context";
import { hasScope, isAllowedTool, requireAllowedTool } from "@/server/credential-rights";
import type { Transaction } from "@/server/db/connection/database";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import { readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { requireRestored } from "./call-refusals";
import { createFile } from "./create-file";

type UploadedFile = Omit<Parameters<typeof createFile>[1], "requireRight">;

/**
 * Stores a file that a client sends. A key without the scope `chat` sends those of results that it may give.
 *
 * @throws {DomainError} as `createFile`; for such a key before that, in this order: `invalid` without a chat, `not_found`, `forbidden` for a
 *   chat that waits for other tools, `conflict` for an archived chat, and for one that waits for no result.
 */
export const uploadFile = async (ctx: ServerContext, file: UploadedFile): Promise<Artifact> => {
  if (hasScope(ctx.actor.credential, "chat")) return createFile(ctx, file);
  const { chatId } = file;
  if (chatId === undefined) throw refuseWithoutChat();
  return createFile(ctx, { ...file, requireRight: (tx) => requireOpenCall(tx, ctx, chatId) });
};

const requireOpenCall = async (
  tx: Transaction,
  ctx: ServerContext,
  chatId: string,
): Promise<void> => {
  await lockArtifacts(tx, ctx.actor);
  const chat = await lockActorsChat(tx, ctx, chatId);
  const read = await readChatWithCalls(tx, { chatId, viewer: ctx.actor });
  // The answer to the question of an MCP server has no files.
  const calls = (read?.openCalls ?? []).filter(
    ({ state, elicitations }) => state === "awaiting_result" && !elicitations?.length,
  );
  const [refused] = calls;
  if (refused && !calls.some((call) => isAllowedTool(ctx.actor.credential, call))) {
    requireAllowedTool(ctx.actor, refused);
  }
  requireRestored(chat);
  if (!refused) throw refuseWithoutCall();
};

const refuseWithoutChat = (): DomainError => {
  const message =
    'must be the chat of a call that this key may answer; a file without a chat needs the scope "chat"';
  return new DomainError("invalid", `/chat_id ${message}.`, {
    errors: [{ pointer: "/chat_id", message }],
  });
};

const refuseWithoutCall = (): DomainError =>
  new DomainError(
    "conflict",
    'The chat has no call that waits for a result, and to other chats this key sends no files: that needs the scope "chat".',
    { reason: "call_not_awaited", shouldRetry: false },
  );
