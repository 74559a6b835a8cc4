import type { LanguageModelV4TextPart } from "@ai-sdk/provider";
import type { HistoryMessage, ReportPartRow } from "@/server/db/chats/rows";
import { renderForModel } from "@/server/tools/tool-result";

/** Renders the reports of tasks as data, as they are no words of the user. */
export const toReportContent = (
  message: HistoryMessage,
  isOffered: (toolName: string) => boolean,
): LanguageModelV4TextPart[] =>
  message.parts
    .filter((part) => part.type === "report")
    .map(({ data }) => ({ type: "text", text: renderReport(data, isOffered) }));

const renderReport = (
  { output, artifacts, ...task }: ReportPartRow["data"],
  isOffered: (toolName: string) => boolean,
): string => {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  const report = renderForModel(text, { responseHandled: false, artifacts, isOffered });
  const { task_id, tool_call_id, agent_chat_id: chat_id, label, state } = task;
  const data = { task_id, tool_call_id, ...(chat_id && { chat_id }), label, state, report };
  return `<task_report>${escapeEnd(JSON.stringify(data))}</task_report>`;
};

/** A report cannot end its own tag: in JSON, `\/` is a slash, too. */
const escapeEnd = (json: string): string => json.replaceAll("</", "<\\/");
