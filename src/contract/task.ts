import * as z from "zod";
import { JsonValue } from "./json";
import { Artifact } from "./part";
import { TaskKind, TaskState } from "./task-state";

/**
 * A piece of work that outlives the call that began it. Its report enters the chat when it has ended; that of a command
 * does only if it was asked for.
 */
export const Task = z
  .object({
    id: z.uuid(),
    root_chat_id: z.uuid(),
    chat_id: z.uuid(),
    /** The call that began it. */
    tool_call_id: z.string(),
    kind: TaskKind,
    label: z.string(),
    state: TaskState,
    /** What it has ended with: for the model, and for the person where that differs. */
    report: z
      .object({
        output: JsonValue,
        for_user: z.string().optional(),
        artifacts: z.array(Artifact),
      })
      .nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    /** When the report entered the chat, or a call reported the same; null for one that does neither. */
    delivered_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Task" });
export type Task = z.infer<typeof Task>;
