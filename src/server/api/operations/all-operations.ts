import { changePasswordOperation, endSessionOperation, listSessionsOperation } from "./account";
import { getAgentTypesOperation, setAgentTypesOperation } from "./agent-types";
import { createTokenOperation } from "./tokens";
import { createApiKeyOperation, listApiKeysOperation, revokeApiKeyOperation } from "./api-keys";
import { clearContextOperation, compactChatOperation, undoBoundaryOperation } from "./boundaries";
import {
  createChatOperation,
  deleteChatOperation,
  forkChatOperation,
  getChatOperation,
  listChatsOperation,
  markAllReadOperation,
  markReadOperation,
  reconcileChatOperation,
  updateChatOperation,
} from "./chats";
import { settingOperations } from "./config";
import {
  editMessageOperation,
  listMessagesOperation,
  openChatOperation,
  searchMessagesOperation,
  sendMessageOperation,
} from "./messages";
import { exportAllOperation, exportChatOperation } from "./exports";
import {
  createFileOperation,
  deleteFileOperation,
  getFileOperation,
  listFilesOperation,
} from "./files";
import { getGroupsOperation, listGroupsOperation, setGroupsOperation } from "./groups";
import {
  createImportOperation,
  deleteImportOperation,
  getImportOperation,
  listImportsOperation,
} from "./imports";
import { listMcpCommandsOperation, runMcpCommandOperation } from "./mcp-commands";
import {
  createMcpServerOperation,
  deleteMcpServerOperation,
  listMcpServersOperation,
  testMcpServerOperation,
  updateMcpServerOperation,
} from "./mcp-servers";
import {
  createModelOperation,
  deleteModelOperation,
  discoverModelsOperation,
  listModelsOperation,
  testModelOperation,
  updateModelOperation,
} from "./models";
import {
  listSubscriptionsOperation,
  subscribeOperation,
  testSubscriptionOperation,
  unsubscribeOperation,
} from "./notifications";
import { deleteQueuedOperation, promoteQueuedOperation } from "./queue";
import {
  createRecipeOperation,
  deleteRecipeOperation,
  listRecipesOperation,
  reloadRecipesOperation,
  runRecipeOperation,
  updateRecipeOperation,
} from "./recipes";
import {
  createStartingTextOperation,
  deleteStartingTextOperation,
  listStartingTextsOperation,
} from "./starting-texts";
import { cancelTaskOperation, listChildrenOperation, listTasksOperation } from "./tasks";
import {
  listApprovalRulesOperation,
  listToolsOperation,
  revokeApprovalRuleOperation,
  setToolModeOperation,
} from "./tools";
import {
  claimToolCallOperation,
  claimToolCallsOperation,
  extendToolCallOperation,
  listToolCallsOperation,
  releaseClaimOperation,
  renewClaimOperation,
  submitToolResultOperation,
  submitToolResultsOperation,
} from "./tool-calls";
import {
  chooseBranchOperation,
  continueChatOperation,
  decideApprovalsOperation,
  interruptChatOperation,
  regenerateOperation,
} from "./turn";
import {
  deleteToolsetOperation,
  getToolsetOperation,
  listToolsetsOperation,
  putToolsetOperation,
} from "./toolsets";
import { watchAllOperation } from "./watch-all";
import { watchChatOperation } from "./watch-chat";

/** Everything that clients can ask for in JSON: REST, tRPC and the OpenAPI document are made from it. */
export const operations = [
  createChatOperation,
  listChatsOperation,
  getChatOperation,
  updateChatOperation,
  forkChatOperation,
  markAllReadOperation,
  markReadOperation,
  deleteChatOperation,
  openChatOperation,
  listMessagesOperation,
  searchMessagesOperation,
  sendMessageOperation,
  editMessageOperation,
  regenerateOperation,
  chooseBranchOperation,
  continueChatOperation,
  compactChatOperation,
  clearContextOperation,
  undoBoundaryOperation,
  deleteQueuedOperation,
  promoteQueuedOperation,
  interruptChatOperation,
  listToolCallsOperation,
  claimToolCallsOperation,
  claimToolCallOperation,
  renewClaimOperation,
  releaseClaimOperation,
  submitToolResultOperation,
  submitToolResultsOperation,
  extendToolCallOperation,
  decideApprovalsOperation,
  listChildrenOperation,
  listTasksOperation,
  cancelTaskOperation,
  reconcileChatOperation,
  listModelsOperation,
  createModelOperation,
  updateModelOperation,
  deleteModelOperation,
  testModelOperation,
  discoverModelsOperation,
  listToolsOperation,
  setToolModeOperation,
  listToolsetsOperation,
  getToolsetOperation,
  putToolsetOperation,
  deleteToolsetOperation,
  listApprovalRulesOperation,
  revokeApprovalRuleOperation,
  ...settingOperations,
  listGroupsOperation,
  getGroupsOperation,
  setGroupsOperation,
  getAgentTypesOperation,
  setAgentTypesOperation,
  listRecipesOperation,
  createRecipeOperation,
  updateRecipeOperation,
  deleteRecipeOperation,
  runRecipeOperation,
  reloadRecipesOperation,
  listMcpCommandsOperation,
  runMcpCommandOperation,
  listMcpServersOperation,
  createMcpServerOperation,
  updateMcpServerOperation,
  deleteMcpServerOperation,
  testMcpServerOperation,
  createApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
  createTokenOperation,
  listFilesOperation,
  deleteFileOperation,
  listImportsOperation,
  getImportOperation,
  deleteImportOperation,
  listStartingTextsOperation,
  createStartingTextOperation,
  deleteStartingTextOperation,
  listSessionsOperation,
  endSessionOperation,
  changePasswordOperation,
  listSubscriptionsOperation,
  subscribeOperation,
  unsubscribeOperation,
  testSubscriptionOperation,
] as const;

/** Everything that clients can watch. */
export const streams = [watchChatOperation, watchAllOperation] as const;

/** Files that clients send, and that they get; REST only. */
export const uploads = [createFileOperation, createImportOperation] as const;
export const downloads = [getFileOperation, exportChatOperation, exportAllOperation] as const;
