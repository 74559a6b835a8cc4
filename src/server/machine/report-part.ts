import type { EndedTaskState } from "@/contract/task-state";
import type { ReportPartRow, TaskRow } from "@/server/db/chats/rows";

/** The report of a task that has ended. */
export const toReportPart = (task: TaskRow): ReportPartRow => {
  const { id, toolCallId, kind, label, state, agentChatId, report } = task;
  if (!report) throw new Error(`task ${id} has no report`);
  return {
    type: "report",
    data: {
      task_id: id,
      tool_call_id: toolCallId,
      kind,
      label,
      state: state as EndedTaskState,
      ...(agentChatId !== null && { agent_chat_id: agentChatId }),
      ...report,
    },
  };
};

const LEFT =
  "This chat is a copy. The task belongs to the chat that it was copied from, and reports there alone: expect no report of it here.";

/** What a fork has of a task whose report it does not get. */
export const toLeftReport = (task: Omit<TaskRow, "report" | "state">): ReportPartRow =>
  toReportPart({
    ...task,
    state: "cancelled",
    report: { output: LEFT, for_user: null, artifacts: [] },
  });
