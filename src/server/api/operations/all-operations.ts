import type { Operation } from "@/server/api/operation";
import { createKey, listKeys, revokeKey } from "./api-keys";
import {
  createChatOperation,
  deleteChatOperation,
  getChat,
  listChatsOperation,
  reconcile,
  updateChatOperation,
} from "./chats";
import { getAdvisorConfigOperation, setAdvisorConfigOperation } from "./config";
import { editMessageOperation, listMessagesOperation, send } from "./messages";
import { listModelsOperation } from "./models";
import { deleteQueuedOperation, promote } from "./queue";
import { decide, interrupt, regenerateOperation, submitResults } from "./turn";

/** Everything that REST and the OpenAPI document offer, streams apart. */
export const operations: readonly Operation[] = [
  createChatOperation,
  listChatsOperation,
  getChat,
  updateChatOperation,
  deleteChatOperation,
  listMessagesOperation,
  send,
  editMessageOperation,
  regenerateOperation,
  deleteQueuedOperation,
  promote,
  interrupt,
  submitResults,
  decide,
  reconcile,
  listModelsOperation,
  getAdvisorConfigOperation,
  setAdvisorConfigOperation,
  createKey,
  listKeys,
  revokeKey,
];
