import * as z from "zod";
import { ChatStatus, RequiredAction } from "./chat";
import { ErrorKind } from "./chat-error";
import { TaskState } from "./task-state";

/** How an agent stands, as a call that has waited for it tells it. */
export const AgentOutcome = z.object({
  chat_id: z.uuid(),
  title: z.string(),
  state: TaskState,
  /** What it has ended with: its last answer, or what there is of it. */
  report: z.string().optional(),
  /** Why it has failed, if its model did. */
  error: z.object({ kind: ErrorKind, retryable: z.boolean() }).optional(),
});
export type AgentOutcome = z.infer<typeof AgentOutcome>;

/** The output of a call that waits for agents: while it waits, and when it has ended. */
export const AgentWait = z.object({
  chat_ids: z.array(z.uuid()),
  /** How many of them have to end. */
  min_completed: z.int(),
  deadline_at: z.iso.datetime(),
});
export type AgentWait = z.infer<typeof AgentWait>;

export const AwaitedAgents = z.object({
  agents: z.array(AgentOutcome),
  /** What ended the wait. */
  ended_by: z.enum(["agents", "deadline", "message"]),
  timed_out: z.boolean(),
  /** What the model should know of those that go on. */
  note: z.string().optional(),
});
export type AwaitedAgents = z.infer<typeof AwaitedAgents>;

/** The output of a call that has started an agent. */
export const StartedAgent = z.object({
  chat_id: z.uuid(),
  title: z.string(),
  type: z.string(),
  state: z.enum(["running", "queued"]),
});
export type StartedAgent = z.infer<typeof StartedAgent>;

export const InterruptedAgent = z.object({
  /** False when it was idle. */
  interrupted: z.boolean(),
});
export type InterruptedAgent = z.infer<typeof InterruptedAgent>;

/** A page of the agents of a chat, the oldest first. */
export const AgentList = z.object({
  agents: z.array(
    z.object({
      chat_id: z.uuid(),
      title: z.string(),
      type: z.string().nullable(),
      status: ChatStatus,
      state: TaskState,
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    }),
  ),
  total: z.int(),
  has_more: z.boolean(),
});
export type AgentList = z.infer<typeof AgentList>;

/** An agent as it stands: its chat, and the task that it works on or worked on last. */
export const Agent = z
  .object({
    chat_id: z.uuid(),
    title: z.string(),
    /** The type that it was started as. */
    type: z.string().nullable(),
    status: ChatStatus,
    task_id: z.uuid(),
    task_state: TaskState,
    /** The call that gave it the task. */
    tool_call_id: z.string(),
    /** Steps of its turn. */
    steps: z.int(),
    cost_micros: z.int(),
    /** The last that it has written, or the tool that it called last; null before. */
    last_line: z.string().nullable(),
    /** What it waits for; answered under its own id, or that of its parent. */
    required_action: RequiredAction.nullable(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof Agent>;
