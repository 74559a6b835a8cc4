import * as z from "zod";
import { defineTool, type Tool } from "@/server/tools/tool";
import { errorResult, toolResult, withReportedTask } from "@/server/tools/tool-result";
import { type TaskDeps, unknownTask } from "./task-deps";

export const createTaskCancelTool = ({ cancelTask }: TaskDeps): Tool<"task_cancel"> =>
  defineTool({
    name: "task_cancel",
    description: "Cancels a task of this chat that has not ended.",
    example: { task_id: "id-of-task" },
    card: { label: "Cancel task", icon: "circle-stop", detail: "task_id" },
    input: z.object({ task_id: z.string().max(64).describe("The task.") }),
    run: async ({ chatId }, { task_id: taskId }) => {
      const isCancelled = await cancelTask(chatId, taskId);
      if (isCancelled === undefined) return errorResult(unknownTask(taskId));
      if (!isCancelled) return toolResult(`Task ${taskId} had ended before.`);
      return withReportedTask(toolResult(`Task ${taskId} is cancelled.`), taskId);
    },
  });
