import { ACCOUNT_TEXTS } from "@/contract/texts/account";
import { ADVISOR_TEXTS } from "@/contract/texts/advisor";
import { AGENT_TEXTS } from "@/contract/texts/agent";
import { AGENT_TYPE_TEXTS } from "@/contract/texts/agent-type";
import { API_KEY_TEXTS } from "@/contract/texts/api-key";
import { CALLER_TOOLS_TEXTS } from "@/contract/texts/caller-tools";
import { TOKEN_TEXTS } from "@/contract/texts/token";
import { APPROVAL_RULE_TEXTS } from "@/contract/texts/approval-rule";
import { CHAT_TEXTS } from "@/contract/texts/chat";
import { CHAT_ERROR_TEXTS } from "@/contract/texts/chat-error";
import { CALL_TEXTS } from "@/contract/texts/call";
import { CHAT_INPUTS_TEXTS } from "@/contract/texts/chat-inputs";
import { CONTENT_TEXTS } from "@/contract/texts/content";
import { DYNAMIC_TOOL_TEXTS } from "@/contract/texts/dynamic-tool";
import { ELICITATION_TEXTS } from "@/contract/texts/elicitation";
import { EXEC_TEXTS } from "@/contract/texts/exec";
import { EXPORTED_CHAT_TEXTS } from "@/contract/texts/exported-chat";
import { FILE_TEXTS } from "@/contract/texts/file";
import { GROUP_TEXTS } from "@/contract/texts/group";
import { HISTORY_TEXTS } from "@/contract/texts/history";
import { IMPORT_TEXTS } from "@/contract/texts/import";
import { MCP_COMMAND_TEXTS } from "@/contract/texts/mcp-command";
import { MCP_SERVER_TEXTS } from "@/contract/texts/mcp-server";
import { MESSAGE_TEXTS } from "@/contract/texts/message";
import { MODEL_TEXTS } from "@/contract/texts/model";
import { MODEL_INPUTS_TEXTS } from "@/contract/texts/model-inputs";
import { NEW_CHAT_TEXTS } from "@/contract/texts/new-chat";
import { PART_TEXTS } from "@/contract/texts/part";
import { PROBLEM_TEXTS } from "@/contract/texts/problem";
import { PUSH_TEXTS } from "@/contract/texts/push";
import { RECIPE_TEXTS } from "@/contract/texts/recipe";
import { STARTING_TEXT_TEXTS } from "@/contract/texts/starting-text";
import { STREAM_EVENT_TEXTS } from "@/contract/texts/stream-event";
import { TASK_TEXTS } from "@/contract/texts/task";
import { TOOL_TEXTS } from "@/contract/texts/tool";
import { TOOLSET_TEXTS } from "@/contract/texts/toolset";
import { USAGE_TEXTS } from "@/contract/texts/usage";
import type { FieldText, SchemaTexts } from "@/contract/texts/schema-texts";

/** The texts of all schemas and operations. */
export const FIELD_TEXTS: SchemaTexts = {
  ...ACCOUNT_TEXTS,
  ...ADVISOR_TEXTS,
  ...AGENT_TEXTS,
  ...AGENT_TYPE_TEXTS,
  ...API_KEY_TEXTS,
  ...TOKEN_TEXTS,
  ...CALLER_TOOLS_TEXTS,
  ...APPROVAL_RULE_TEXTS,
  ...CHAT_TEXTS,
  ...CHAT_ERROR_TEXTS,
  ...CALL_TEXTS,
  ...CHAT_INPUTS_TEXTS,
  ...CONTENT_TEXTS,
  ...DYNAMIC_TOOL_TEXTS,
  ...ELICITATION_TEXTS,
  ...EXEC_TEXTS,
  ...EXPORTED_CHAT_TEXTS,
  ...FILE_TEXTS,
  ...IMPORT_TEXTS,
  ...GROUP_TEXTS,
  ...HISTORY_TEXTS,
  ...MCP_COMMAND_TEXTS,
  ...MCP_SERVER_TEXTS,
  ...MESSAGE_TEXTS,
  ...MODEL_TEXTS,
  ...MODEL_INPUTS_TEXTS,
  ...NEW_CHAT_TEXTS,
  ...PART_TEXTS,
  ...PROBLEM_TEXTS,
  ...PUSH_TEXTS,
  ...RECIPE_TEXTS,
  ...STARTING_TEXT_TEXTS,
  ...STREAM_EVENT_TEXTS,
  ...TASK_TEXTS,
  ...TOOL_TEXTS,
  ...TOOLSET_TEXTS,
  ...USAGE_TEXTS,
};

/**
 * @param owner the schema or the operation that has the field; the form for inputs has the same texts.
 * @param path the names of the fields down to this one, joined by dots.
 */
export const findFieldText = (owner: string, path: string): FieldText | undefined =>
  FIELD_TEXTS[owner.replace(/Input$/, "")]?.[path];
