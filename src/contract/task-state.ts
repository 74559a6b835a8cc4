import * as z from "zod";

/** What works on a task: a chat of its own, a command of the sandbox, or a tool of the server. */
export const TaskKind = z.enum(["agent", "command", "tool"]);
export type TaskKind = z.infer<typeof TaskKind>;

/** The states in which a task has a report. The outcome of one whose process has died is `unknown`. */
export const EndedTaskState = z.enum(["completed", "failed", "cancelled", "unknown"]);
export type EndedTaskState = z.infer<typeof EndedTaskState>;

/** The states before. */
export const OpenTaskState = z.enum(["queued", "running"]);
export type OpenTaskState = z.infer<typeof OpenTaskState>;

export const TaskState = z.enum([...OpenTaskState.options, ...EndedTaskState.options]);
export type TaskState = z.infer<typeof TaskState>;
