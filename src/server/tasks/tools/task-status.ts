import * as z from "zod";
import { defineTool, type Tool } from "@/server/tools/tool";
import { errorResult, toolResult } from "@/server/tools/tool-result";
import { type TaskDeps, type TaskSummary, unknownTask } from "./task-deps";

/** The report itself enters the chat; here it is only to tell tasks apart. */
const MAX_REPORT_CODE_POINTS = 300;

export const createTaskStatusTool = ({ listTasks }: TaskDeps): Tool<"task_status"> =>
  defineTool({
    name: "task_status",
    description:
      "Tells how a task of this chat stands, or all of them, the oldest first. You need not ask for the end of a task: its report comes by itself, but for a command without report_on_exit.",
    card: { label: "Task status", icon: "list-checks", detail: "task_id" },
    input: z.object({
      task_id: z.string().max(64).optional().describe("One task; all when left out."),
    }),
    run: async ({ chatId }, { task_id: taskId }) => {
      const tasks = await listTasks(chatId, taskId);
      if (tasks.length > 0) return toolResult(tasks.map(toLine).join("\n"));
      return taskId === undefined
        ? toolResult("This chat has no tasks.")
        : errorResult(unknownTask(taskId));
    },
  });

const toLine = ({ id, label, state, report }: TaskSummary): string => {
  const start = `${id} ${state} ${JSON.stringify(label)}`;
  return report === null ? start : `${start}: ${JSON.stringify(cutStart(report))}`;
};

const cutStart = (text: string): string => {
  const codePoints = Array.from(text);
  if (codePoints.length <= MAX_REPORT_CODE_POINTS) return text;
  return `${codePoints.slice(0, MAX_REPORT_CODE_POINTS).join("")}…`;
};
