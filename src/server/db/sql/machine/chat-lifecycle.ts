import type { AutoSubmitInput } from "@/contract/chat-inputs";
import type { ChatDynamicTool } from "@/contract/dynamic-tool";
import type { ParametersChange } from "@/contract/parameters";
import type { MessageUsage, UsageKind } from "@/contract/usage";
import type { Queryable } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { ChatRow } from "@/server/db/chats/rows";
import { toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import { handOverArtifacts } from "./artifact-shares";
import { inFamily } from "./row-locks";
import {
  changeChat,
  deleteStatement,
  MARK_ALL_READ,
  metadataStatement,
  SAVE_READ_MARK,
} from "@/server/db/sql/rows/chat-row";
import { runNamed } from "@/server/db/sql/rows/named-statement";

const DELETE = deleteStatement<{ rootChatId: string }>("delete-family", inFamily("$rootChatId"));

/**
 * Deletes a locked root chat with its children, and all that hangs on them, but for files that forks share. Needs
 * `lockArtifacts`.
 */
export const deleteFamily = async (tx: Queryable, rootChatId: string): Promise<void> => {
  await handOverArtifacts(tx, rootChatId);
  const deleted = await runNamed<{ id: string }, { rootChatId: string }>(tx, DELETE, {
    rootChatId,
  });
  // Without a foreign key, which each batch of deltas would have to check.
  await tx.prisma.previewChunk.deleteMany({
    where: { chatId: { in: deleted.map(({ id }) => id) } },
  });
};

export type Metadata = {
  title?: string | undefined;
  pinned?: boolean | undefined;
  labels?: Record<string, string> | undefined;
  modelId?: string | undefined;
  /** Null removes one. */
  parameters?: ParametersChange | undefined;
  /** Null takes all tools. */
  toolNames?: readonly string[] | null | undefined;
  groupNames?: readonly string[] | undefined;
  dynamicTools?: readonly ChatDynamicTool[] | undefined;
  /** Null removes it. */
  systemPrompt?: string | null | undefined;
  actionTimeoutSeconds?: number | undefined;
  /** Those of its tools. */
  warnings?: readonly string[] | undefined;
  autoSubmit?: AutoSubmitInput | undefined;
  wakeOnReports?: boolean | undefined;
  /** True makes a temporary chat an ordinary one. */
  isKept?: true | undefined;
};

type MetadataValues = {
  chatId: string;
  title: string | null;
  pinned: boolean | null;
  labels: string | null;
  modelId: string | null;
  parameters: string | null;
  toolNames: string | null;
  groupNames: string | null;
  dynamicTools: string | null;
  warnings: string | null;
  systemPrompt: string | null;
  hasSystemPrompt: boolean;
  actionTimeoutSeconds: number | null;
  autoSubmitSuccess: boolean | null;
  autoSubmitError: boolean | null;
  wakeOnReports: boolean | null;
  isKept: boolean;
};

const SAVE_METADATA = metadataStatement<MetadataValues>({
  name: "save-metadata",
  assign: {
    title: "coalesce($title, title)",
    titled: "titled OR $title IS NOT NULL",
    pinned: "coalesce($pinned::boolean, pinned)",
    labels: "coalesce($labels::jsonb, labels)",
    model_id: "coalesce($modelId::uuid, model_id)",
    parameters: "jsonb_strip_nulls(parameters || coalesce($parameters::jsonb, '{}'))",
    // Null is what stays, and the text of a JSON null is all tools.
    tool_names: "nullif(coalesce($toolNames::jsonb, tool_names), 'null'::jsonb)",
    group_names: "coalesce($groupNames::jsonb, group_names)",
    dynamic_tools: "coalesce($dynamicTools::json, dynamic_tools)",
    warnings: "coalesce($warnings::jsonb, warnings)",
    system_prompt: "CASE WHEN $hasSystemPrompt::boolean THEN $systemPrompt ELSE system_prompt END",
    action_timeout_seconds: "coalesce($actionTimeoutSeconds::int, action_timeout_seconds)",
    auto_submit_success: "coalesce($autoSubmitSuccess::boolean, auto_submit_success)",
    auto_submit_error: "coalesce($autoSubmitError::boolean, auto_submit_error)",
    wake_on_reports: "coalesce($wakeOnReports::boolean, wake_on_reports)",
    kept_hours: "CASE WHEN $isKept::boolean THEN NULL ELSE kept_hours END",
  },
  where: "id = $chatId::uuid",
});

/** Changes metadata of a locked chat: the version rises so that watchers read it, the history's does not. */
export const saveMetadata = async (
  tx: Queryable,
  chatId: string,
  metadata: Metadata,
): Promise<ChatRow> => {
  const { title, pinned, labels, modelId, parameters, isKept = false } = metadata;
  const chat = await changeChat(tx, SAVE_METADATA, {
    chatId,
    title: title ?? null,
    pinned: pinned ?? null,
    labels: labels ? toJsonText(labels) : null,
    modelId: modelId ?? null,
    parameters: parameters ? toJsonText(parameters) : null,
    isKept,
    ...toToolSettings(metadata),
    ...toTurnSettings(metadata),
  });
  if (!chat) throw new Error(`chat ${chatId} vanished while it was locked`);
  return chat;
};

const toToolSettings = ({ toolNames, groupNames, dynamicTools, warnings }: Metadata) => ({
  warnings: warnings ? toJsonText(warnings) : null,
  toolNames: toolNames === undefined ? null : toJsonText(toolNames),
  groupNames: groupNames ? toJsonText(groupNames) : null,
  dynamicTools: dynamicTools ? toJsonText(dynamicTools) : null,
});

/** What counts for the steps of turns, and for whether these go on or begin by themselves. */
const toTurnSettings = ({ autoSubmit, wakeOnReports, ...metadata }: Metadata) => ({
  hasSystemPrompt: metadata.systemPrompt !== undefined,
  systemPrompt: metadata.systemPrompt ?? null,
  actionTimeoutSeconds: metadata.actionTimeoutSeconds ?? null,
  autoSubmitSuccess: autoSubmit?.success ?? null,
  autoSubmitError: autoSubmit?.error ?? null,
  wakeOnReports: wakeOnReports ?? null,
});

/**
 * Marks a chat as read by the viewer, unless a later version is marked already or the chat does not have this one.
 *
 * @returns the version of the chat; undefined for a chat that the viewer may not read.
 */
export const saveReadMark = async (
  db: Queryable,
  { chatId, viewer, version }: { chatId: string; viewer: Viewer; version: number },
): Promise<number | undefined> => {
  const [chat] = await runNamed<
    { version: number },
    { chatId: string; viewerValue: (string | null)[]; userId: string; version: number }
  >(db, SAVE_READ_MARK, {
    chatId,
    viewerValue: toViewerValue(viewer),
    userId: viewer.userId,
    version,
  });
  return chat?.version;
};

/** Marks all chats that the viewer may read, and has not read, as read. */
export const saveAllReadMarks = async (db: Queryable, viewer: Viewer): Promise<void> => {
  await runNamed(db, MARK_ALL_READ, {
    viewerValue: toViewerValue(viewer),
    userId: viewer.userId,
  });
};

export type GeneratedTitle = {
  chatId: string;
  title: string;
  usageId: string;
  /** "provider/model". */
  model: string;
  usage: MessageUsage;
  costMicros: number;
};

type TitleValues = Omit<GeneratedTitle, "usage"> & { inputTokens: number; outputTokens: number };

const TITLE_USE: UsageKind = "title";

const SET_TITLE = metadataStatement<TitleValues>({
  name: "set-generated-title",
  assign: {
    title: "$title",
    titled: "true",
    usage: `add_usage(usage, '${TITLE_USE}', $inputTokens, $outputTokens, $costMicros)`,
  },
  where: "id = $chatId::uuid AND NOT titled",
  with: {
    u: `INSERT INTO usage_record (id, chat_id, turn_id, kind, model, input_tokens, output_tokens, cost_micros)
      SELECT $usageId::uuid, c.id, c.turn_id, '${TITLE_USE}'::usage_kind, $model, $inputTokens, $outputTokens,
        $costMicros FROM c`,
  },
});

/** Sets the generated title. @returns undefined when the chat has a title already. */
export const setGeneratedTitle = (
  db: Queryable,
  { usage, ...values }: GeneratedTitle,
): Promise<ChatRow | undefined> =>
  changeChat(db, SET_TITLE, {
    ...values,
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
  });
