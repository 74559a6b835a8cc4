import * as z from "zod";
import { PendingElicitation } from "./elicitation";
import { JsonValue } from "./json";
import { Labels } from "./labels";

/** How far a program says that it is. */
export const CallProgress = z
  .object({ message: z.string(), percent: z.number().optional() })
  .meta({ id: "CallProgress" });
export type CallProgress = z.infer<typeof CallProgress>;

/** Which program works on a call. */
export const CallClaim = z
  .object({
    /** What the program calls itself. */
    holder: z.string(),
    claimed_at: z.iso.datetime(),
    /** The end of its lease, unless a heartbeat renews it. */
    expires_at: z.iso.datetime(),
    progress: CallProgress.optional(),
  })
  .meta({ id: "CallClaim" });
export type CallClaim = z.infer<typeof CallClaim>;

/** What whoever answers a call needs to know of it. */
const AnswerableCall = z.object({
  tool_call_id: z.string(),
  tool_name: z.string(),
  args: JsonValue,
  /** Absent for a call of an older version, whose deadline is that of its chat. */
  deadline_at: z.iso.datetime().optional(),
  description: z.string().optional(),
  output_schema: JsonValue.optional(),
  /** What the server of an MCP tool asks; the output is then an `ElicitationAnswer`. */
  elicitation: PendingElicitation.optional(),
});
export type AnswerableCall = z.infer<typeof AnswerableCall>;

/** A call that waits for a client: of a dynamic tool for its result, of an MCP tool for the answer to an elicitation. */
export const OpenCall = AnswerableCall.extend({
  chat_id: z.uuid(),
  root_chat_id: z.uuid(),
  message_id: z.uuid(),
  /** The toolset of its tool, if it has one. */
  toolset: z.string().optional(),
  /** Those of the root chat. */
  labels: Labels,
  opened_at: z.iso.datetime(),
  /** Which run of the call the next or the present one is, from 1. */
  attempt: z.int(),
  claim: CallClaim.nullable(),
}).meta({ id: "OpenCall" });
export type OpenCall = z.infer<typeof OpenCall>;

/** A call that its receiver works on. */
export const ClaimedCall = OpenCall.extend({
  claim: CallClaim.extend({ token: z.uuid() }),
}).meta({ id: "ClaimedCall" });
export type ClaimedCall = z.infer<typeof ClaimedCall>;

export const ClaimedCalls = z.object({ data: z.array(ClaimedCall) }).meta({ id: "ClaimedCalls" });
export type ClaimedCalls = z.infer<typeof ClaimedCalls>;

/** One page of open calls, the oldest first. */
export const OpenCallPage = z
  .object({ data: z.array(OpenCall), next_cursor: z.string().optional() })
  .meta({ id: "OpenCallPage" });
export type OpenCallPage = z.infer<typeof OpenCallPage>;

/** Until when a call is open. */
export const ToolCallDeadline = z
  .object({ deadline_at: z.iso.datetime() })
  .meta({ id: "ToolCallDeadline" });
export type ToolCallDeadline = z.infer<typeof ToolCallDeadline>;

/** Until when a program holds a call, and until when the call is open. */
export const CallLease = z
  .object({
    expires_at: z.iso.datetime(),
    /** Absent for a call of an older version, as in `OpenCall`. */
    deadline_at: z.iso.datetime().optional(),
  })
  .meta({ id: "CallLease" });
export type CallLease = z.infer<typeof CallLease>;
