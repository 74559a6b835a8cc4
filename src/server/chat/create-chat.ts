import type { Labels } from "@/contract/chat";
import type { Content } from "@/contract/content";
import type { DynamicTool } from "@/contract/dynamic-tool";
import { DEFAULT_ACTION_TIMEOUT_SECONDS, DEFAULT_MAX_STEPS } from "@/contract/limits";
import { firstWords } from "@/lib/first-words";
import { actorId, type ServerContext } from "@/server/context";
import { insertChat } from "@/server/db/sql/chat-lifecycle";
import type { ChatRow } from "@/server/db/rows";
import { collisionWarnings } from "./collision-warnings";
import { unknownModel } from "./require-model";

export type CreateChat = {
  content: Content;
  systemPrompt?: string | undefined;
  modelId?: string | undefined;
  dynamicTools?: DynamicTool[] | undefined;
  labels?: Labels | undefined;
  actionTimeoutSeconds?: number | undefined;
  maxSteps?: number | undefined;
};

/**
 * Makes a chat with its first message; a worker answers it. One statement, so there is no
 * chat without a message.
 *
 * @throws {DomainError} `invalid` when the model is unknown or disabled.
 */
export const createChat = async (ctx: ServerContext, input: CreateChat): Promise<ChatRow> => {
  const dynamicTools = input.dynamicTools ?? [];
  const id = ctx.newId();
  const chat = await insertChat(ctx.db, {
    id,
    viewer: ctx.actor,
    messageId: ctx.newId(),
    turnId: ctx.newId(),
    createdBy: actorId(ctx.actor),
    title: firstWords(input.content.map(({ text }) => text).join(" ")),
    texts: input.content.map(({ text }) => text),
    systemPrompt: input.systemPrompt ?? null,
    modelId: input.modelId ?? null,
    dynamicTools,
    warnings: await collisionWarnings(ctx, { chatId: id, dynamicTools }),
    labels: input.labels ?? {},
    actionTimeoutSeconds: input.actionTimeoutSeconds ?? DEFAULT_ACTION_TIMEOUT_SECONDS,
    maxSteps: input.maxSteps ?? DEFAULT_MAX_STEPS,
  });
  if (!chat) throw unknownModel(input.modelId ?? "");
  return chat;
};
