import * as z from "zod";
import { AnsweredChatId } from "./answered-chat";
import { CallProgress } from "./call";
import { ChatRef, Limit, PathId } from "./chat-inputs";
import { Text } from "./content";
import { ToolsetName } from "./declared-name";
import { Labels, QueryLabels } from "./labels";
import {
  DEFAULT_LEASE_SECONDS,
  MAX_CHOSEN_TOOLS,
  MAX_CLAIMED_CALLS,
  MAX_HOLDER_LENGTH,
  MAX_LEASE_SECONDS,
  MAX_MESSAGE_FILES,
  MAX_PROGRESS_LENGTH,
  MAX_WAIT_SECONDS,
  MIN_LEASE_SECONDS,
} from "./limits";
import { QueryBoolean } from "./query-values";
import { SubmittedOutput } from "./tool-output";
import { ToolsetVersion } from "./toolset";

const ToolName = Text.min(1).max(128);

export const ListToolCallsInput = z.strictObject({
  /** Only calls of this tool. */
  tool: ToolName.optional(),
  /** Only calls of this toolset. */
  toolset: ToolsetName.optional(),
  /** Only calls of chats whose root has these labels. */
  label: QueryLabels.optional(),
  /** Only calls that a program holds, or that none holds. */
  claimed: QueryBoolean.optional(),
  /** The `next_cursor` of the page before. */
  cursor: z.string().max(200).optional(),
  limit: Limit,
});
export type ListToolCallsInput = z.infer<typeof ListToolCallsInput>;

const LeaseSeconds = z.int().min(MIN_LEASE_SECONDS).max(MAX_LEASE_SECONDS);
const Holder = Text.trim().min(1).max(MAX_HOLDER_LENGTH);

export const ClaimToolCallsInput = z
  .strictObject({
    holder: Holder,
    tools: z.array(ToolName).min(1).max(MAX_CHOSEN_TOOLS).optional(),
    /** Only calls of this toolset; the program then counts as connected for it. */
    toolset: ToolsetName.optional(),
    /** The version of the toolset that the program has; the present one by default. */
    toolset_version: ToolsetVersion.optional(),
    /** What the root chats of the calls must have. */
    labels: Labels.optional(),
    lease_seconds: LeaseSeconds.default(DEFAULT_LEASE_SECONDS),
    limit: z.int().min(1).max(MAX_CLAIMED_CALLS).default(1),
    /** How long to wait for a call if there is none. */
    wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).default(0),
    /** Also what the holder has claimed already. */
    resume: z.boolean().default(false),
  })
  .refine(
    ({ toolset, toolset_version: version }) => version === undefined || toolset !== undefined,
    {
      path: ["toolset_version"],
      message: "is of a toolset, which must be named",
    },
  );
export type ClaimToolCallsInput = z.infer<typeof ClaimToolCallsInput>;

const ToolCallRef = ChatRef.extend({ tool_call_id: PathId });

/** The message of the call, as another message of the chat may have one with the same id. */
const MESSAGE = { message_id: z.uuid().optional() };

export const ClaimToolCallInput = ToolCallRef.extend({
  holder: Holder,
  lease_seconds: LeaseSeconds.default(DEFAULT_LEASE_SECONDS),
  ...MESSAGE,
});
export type ClaimToolCallInput = z.infer<typeof ClaimToolCallInput>;

const Token = z.uuid();

export const RenewClaimInput = ToolCallRef.extend({
  token: Token,
  /** From now on; left out, the lease is as long as it was. */
  lease_seconds: LeaseSeconds.optional(),
  progress: CallProgress.extend({
    message: Text.max(MAX_PROGRESS_LENGTH),
    percent: z.number().min(0).max(100).optional(),
  })
    .strict()
    .optional(),
});
export type RenewClaimInput = z.infer<typeof RenewClaimInput>;

export const ReleaseClaimInput = ToolCallRef.extend({
  token: Token,
  /** How long no program is offered the call. */
  retry_after_seconds: z.int().min(0).max(MAX_LEASE_SECONDS).default(0),
});
export type ReleaseClaimInput = z.infer<typeof ReleaseClaimInput>;

export const ExtendToolCallInput = ToolCallRef.extend({ deadline_at: z.iso.datetime() });
export type ExtendToolCallInput = z.infer<typeof ExtendToolCallInput>;

const RESULT = {
  output: SubmittedOutput,
  is_error: z.boolean().default(false),
  /** Files of the chat, or that were sent to the server for no chat yet. */
  file_ids: z.array(z.uuid()).max(MAX_MESSAGE_FILES).optional(),
  /** The number of the elicitation that it answers. */
  question: z.int().min(1).optional(),
};

export const SubmittedToolResult = z.strictObject({
  chat_id: AnsweredChatId,
  tool_call_id: Text.min(1).max(256),
  /** Of the claim of the call. */
  claim_token: Token.optional(),
  ...RESULT,
});
export type SubmittedToolResult = z.infer<typeof SubmittedToolResult>;

export const SubmitToolResultsInput = ChatRef.extend({
  results: z.array(SubmittedToolResult).min(1, "must have at least one result"),
});
export type SubmitToolResultsInput = z.infer<typeof SubmitToolResultsInput>;

export const SubmitToolResultInput = ToolCallRef.extend({
  ...MESSAGE,
  /** Of the claim of the call. */
  token: Token.optional(),
  ...RESULT,
});
export type SubmitToolResultInput = z.infer<typeof SubmitToolResultInput>;
