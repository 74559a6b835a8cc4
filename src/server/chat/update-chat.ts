import { DomainError } from "@/contract/domain-error";
import type { ChatDynamicTool, DynamicTool } from "@/contract/dynamic-tool";
import type { Group } from "@/contract/group";
import type { Labels } from "@/contract/labels";
import { MAX_LABELS } from "@/contract/limits";
import { actorId, type ServerContext } from "@/server/context";
import { lockFamily } from "@/server/db/sql/machine/row-locks";
import { saveMetadata, type Metadata } from "@/server/db/sql/machine/chat-lifecycle";
import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { checkChoice, readChoosable } from "@/server/settings/chosen-tools";
import { lockActorsChat } from "@/server/machine/lock-chat";
import { isWoken, wakeChat } from "@/server/tasks/task-reports";
import { replaceOwnTools, takeGroupTools, tooManyGroupTools } from "@/server/tools/group-tools";
import { checkDeclared } from "./declared-tools";
import { requireModel } from "./require-model";
import { applyTransition } from "@/server/machine/transition";
import { withViewerLabels } from "./viewer-labels";

type UpdateChat = Omit<Metadata, "dynamicTools" | "warnings"> & {
  chatId: string;
  archived?: boolean | undefined;
  /** Instead of those that the client has declared. */
  dynamicTools?: DynamicTool[] | undefined;
  /** Labels to set, and with null to remove. */
  labelsMerge?: Readonly<Record<string, string | null>> | undefined;
  /** The version that the chat must have. */
  ifVersion?: number | undefined;
};

/**
 * Updates settings, which count from the next step on, and wakes the chat if its waiting reports may now do so. `archived` is a
 * transition of the root chat and all its children, or of none of them.
 *
 * @throws {DomainError} `not_found`, `forbidden` for labels and tools that the key is not for, `invalid` for a child's
 *   `archived`, for too many labels or tools, or for an unknown model, tool or group, `conflict` while any chat of the family is
 *   busy, or if the chat has another version.
 */
export const updateChat = async (
  ctx: ServerContext,
  { chatId, archived, labels, labelsMerge, dynamicTools: own, ifVersion, ...others }: UpdateChat,
): Promise<ChatRow> => {
  const modelId = await requireModel(ctx.db, others.modelId);
  // Before the transaction, as the embedded database has one connection.
  const known = await readChoosable(ctx, others);
  const warnings = await checkDeclared(ctx, { chatId, dynamicTools: own, modelId });
  const updated = await ctx.db.transaction(async (tx) => {
    let chat = await lockActorsChat(tx, ctx, chatId);
    requireVersion(chat, ifVersion);
    checkChoice(others, known, chat);
    const metadata = {
      ...others,
      modelId,
      warnings,
      labels: changeLabels(ctx, chat, { labels, labelsMerge }),
      dynamicTools: changeTools(chat, { own, groupNames: others.groupNames, groups: known.groups }),
    };
    if (archived !== undefined && archived !== (chat.archivedAt !== null)) {
      chat = await archiveFamily(tx, ctx, { chat, archived });
    }
    const changed = Object.values(metadata).some((value) => value !== undefined);
    return changed ? saveMetadata(tx, chat.id, metadata) : chat;
  });
  return (isWoken(updated) ? await wakeChat(ctx, chatId) : undefined) ?? updated;
};

const requireVersion = ({ version }: ChatRow, expected: number | undefined): void => {
  if (expected === undefined || expected === version) return;
  throw new DomainError(
    "conflict",
    `The chat has version ${version}, not ${expected}. Read it again, and decide by what it is now.`,
    { reason: "version_mismatch", shouldRetry: false },
  );
};

/** @returns undefined for those that it has. */
const changeLabels = (
  ctx: ServerContext,
  chat: ChatRow,
  { labels, labelsMerge }: Pick<UpdateChat, "labels" | "labelsMerge">,
): Labels | undefined => {
  if (!labelsMerge) return labels && withViewerLabels(ctx.actor, labels);
  const merged = new Map<string, string | null>(Object.entries(chat.labels));
  for (const [key, value] of Object.entries(labelsMerge)) merged.set(key, value);
  const left = [...merged].flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
  if (left.length > MAX_LABELS) throw tooManyLabels();
  return withViewerLabels(ctx.actor, Object.fromEntries(left));
};

const tooManyLabels = (): DomainError => {
  const message = `gives the chat more than ${MAX_LABELS} labels`;
  const errors = [{ pointer: "/labels_merge", message }];
  return new DomainError("invalid", `/labels_merge ${message}.`, { errors });
};

/** @returns undefined for those that it has. */
const changeTools = (
  chat: ChatRow,
  {
    own,
    groupNames = chat.groupNames,
    groups,
  }: {
    own: DynamicTool[] | undefined;
    groupNames: readonly string[] | undefined;
    groups: readonly Group[];
  },
): ChatDynamicTool[] | undefined => {
  const replaced = own && replaceOwnTools({ ...chat, groupNames }, own);
  if (own && !replaced) throw tooManyGroupTools("/dynamic_tools");
  const base = replaced ? { ...chat, dynamicTools: replaced } : chat;
  const { dynamicTools, isOver } = takeGroupTools(base, groupNames, groups);
  if (isOver) throw tooManyGroupTools("/groups");
  return dynamicTools ?? replaced;
};

const archiveFamily = async (
  tx: Queryable,
  ctx: ServerContext,
  { chat, archived }: { chat: ChatRow; archived: boolean },
): Promise<ChatRow> => {
  if (chat.parentChatId !== null) {
    throw new DomainError("invalid", "Only a root chat can be archived; its children follow it.", {
      errors: [{ pointer: "/archived", message: "belongs to the root chat" }],
    });
  }
  let root = chat;
  for (const member of await lockFamily(tx, chat.id)) {
    const applied = await applyTransition(tx, member, {
      event: archived ? "archive" : "unarchive",
      newId: ctx.newId,
      by: actorId(ctx.actor),
      closeReason: "interrupted",
    });
    if (member.id === chat.id) root = applied.chat;
  }
  return root;
};
