import type {
  downloads,
  operations,
  streams,
  uploads,
} from "@/server/api/operations/all-operations";
import { ACCOUNT_OPERATION_TEXTS } from "./account-texts";
import { CALL_OPERATION_TEXTS } from "./call-texts";
import { CHAT_OPERATION_TEXTS, FILE_OPERATION_TEXTS, TASK_OPERATION_TEXTS } from "./chat-texts";
import { MESSAGE_OPERATION_TEXTS } from "./message-texts";
import type { OperationText, OperationTexts } from "./operation-text";
import {
  CONFIG_OPERATION_TEXTS,
  MODEL_OPERATION_TEXTS,
  TOOL_OPERATION_TEXTS,
} from "./setting-texts";
import {
  MCP_SERVER_OPERATION_TEXTS,
  RECIPE_OPERATION_TEXTS,
  TOOLSET_OPERATION_TEXTS,
} from "./own-tool-texts";

type Named = typeof operations | typeof uploads | typeof streams | typeof downloads;

/** The text of each operation: one without a text does not compile. */
const TEXTS = {
  ...CHAT_OPERATION_TEXTS,
  ...TASK_OPERATION_TEXTS,
  ...FILE_OPERATION_TEXTS,
  ...MESSAGE_OPERATION_TEXTS,
  ...CALL_OPERATION_TEXTS,
  ...MODEL_OPERATION_TEXTS,
  ...TOOL_OPERATION_TEXTS,
  ...CONFIG_OPERATION_TEXTS,
  ...RECIPE_OPERATION_TEXTS,
  ...MCP_SERVER_OPERATION_TEXTS,
  ...TOOLSET_OPERATION_TEXTS,
  ...ACCOUNT_OPERATION_TEXTS,
} satisfies Record<Named[number]["name"], OperationText>;

export const OPERATION_TEXTS: OperationTexts = TEXTS;
