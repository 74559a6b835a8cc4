import { changePasswordOperation, endSessionOperation, listSessionsOperation } from "./account";
import { createApiKeyOperation, listApiKeysOperation, revokeApiKeyOperation } from "./api-keys";
import {
  createChatOperation,
  deleteChatOperation,
  getChatOperation,
  listChatsOperation,
  reconcileChatOperation,
  updateChatOperation,
} from "./chats";
import { getAdvisorConfigOperation, setAdvisorConfigOperation } from "./config";
import { editMessageOperation, listMessagesOperation, sendMessageOperation } from "./messages";
import { listModelsOperation } from "./models";
import { deleteQueuedOperation, promoteQueuedOperation } from "./queue";
import {
  decideApprovalsOperation,
  interruptChatOperation,
  regenerateOperation,
  submitToolResultsOperation,
} from "./turn";
import { watchAllOperation } from "./watch-all";
import { watchChatOperation } from "./watch-chat";

/** Everything that clients can ask for: REST, tRPC and the OpenAPI document are made from it. */
export const operations = [
  createChatOperation,
  listChatsOperation,
  getChatOperation,
  updateChatOperation,
  deleteChatOperation,
  listMessagesOperation,
  sendMessageOperation,
  editMessageOperation,
  regenerateOperation,
  deleteQueuedOperation,
  promoteQueuedOperation,
  interruptChatOperation,
  submitToolResultsOperation,
  decideApprovalsOperation,
  reconcileChatOperation,
  listModelsOperation,
  getAdvisorConfigOperation,
  setAdvisorConfigOperation,
  createApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
  listSessionsOperation,
  endSessionOperation,
  changePasswordOperation,
] as const;

/** Everything that clients can watch. */
export const streams = [watchChatOperation, watchAllOperation] as const;
