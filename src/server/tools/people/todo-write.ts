import * as z from "zod";
import { TodoStatus, TodoList } from "@/contract/todos";
import { defineTool } from "@/server/tools/tool";
import { jsonResult } from "@/server/tools/tool-result";

/** More items than a plan has that a person follows. */
const MAX_TODOS = 50;
/** Longest item, in UTF-16 units: a sentence or two. */
const MAX_CONTENT_LENGTH = 500;

export const todoWriteTool = defineTool({
  name: "todo_write",
  description:
    "Writes your list of steps for this chat, which the user sees. Use it for work of three or more steps, and write the whole list again whenever a step begins or ends: the newest list is what counts. At most one step is in progress. An empty list removes it.",
  example: { todos: [{ content: "Read the files", status: "in_progress" }] },
  output: TodoList,
  input: z.object({
    todos: z
      .array(
        z.object({
          content: z.string().trim().min(1).max(MAX_CONTENT_LENGTH),
          status: TodoStatus,
        }),
      )
      .max(MAX_TODOS)
      .refine((todos) => todos.filter(({ status }) => status === "in_progress").length <= 1, {
        error: "at most one step can be in progress",
      })
      .describe("The whole list, in order."),
  }),
  run: (_context, { todos }) => Promise.resolve(jsonResult({ todos })),
});
