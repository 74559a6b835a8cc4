import * as z from "zod";

export const TodoStatus = z.enum(["pending", "in_progress", "completed"]);
export type TodoStatus = z.infer<typeof TodoStatus>;

export const Todo = z.object({ content: z.string(), status: TodoStatus });
export type Todo = z.infer<typeof Todo>;

/** The list that `todo_write` wrote; the newest one of a chat is what counts. */
export const TodoList = z.object({ todos: z.array(Todo) });
export type TodoList = z.infer<typeof TodoList>;
