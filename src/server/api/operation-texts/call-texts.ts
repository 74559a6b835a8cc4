import {
  MAX_CALLS_PER_STEP,
  MAX_CLAIMED_CALLS,
  MAX_LONG_POLLS_PER_CREDENTIAL,
  MAX_OUTPUT_LENGTH,
} from "@/contract/limits";
import { formatCount } from "@/server/api/format-count";
import {
  ARCHIVED,
  EXAMPLE_IDS,
  type OperationTexts,
  OTHER_TOOL,
  UNKNOWN_CALL,
} from "./operation-text";

const TOO_LONG = `\`413\` for an output of over ${formatCount(MAX_OUTPUT_LENGTH)} characters.`;
const CLOSED = "`409` `call_answered` and `call_closed`: stop working.";

export const CALL_OPERATION_TEXTS = {
  "toolCalls.list": {
    about:
      "Calls that wait for a result of a program, in all chats that the key sees, as far as it may answer them. It claims nothing.",
    refusals: ["`403` for a tool that the key is not for.", "`400` for a cursor of another list."],
  },
  "toolCalls.claimSome": {
    about:
      "Each call is given to one program at a time, the oldest first. It holds the call until its lease ends: renew it by `toolCalls.heartbeat`. A lease that ends gives a `repeatable` call to another program, and closes any other one as an error. With `wait_seconds` the answer comes when there is a call, empty after that time and before the server stops. With `toolset` the program counts as connected for it.",
    refusals: [
      "`403` for a tool or a toolset that the key is not for.",
      "`404` for an unknown toolset.",
      "`429` for too many requests that wait.",
    ],
    limits: `One request claims up to ${MAX_CLAIMED_CALLS} calls; a key has up to ${formatCount(MAX_LONG_POLLS_PER_CREDENTIAL)} requests that wait in a process.`,
    repetition:
      "A repetition claims other calls. After a lost answer or a restart, send the same `holder` with `resume`: it gets what it holds, with new tokens.",
    examples: {
      minimal: { holder: "runner-7" },
      full: {
        holder: "runner-7",
        tools: ["deploy"],
        labels: { app: "slackbot" },
        lease_seconds: 60,
        limit: 8,
        wait_seconds: 1,
        resume: true,
      },
    },
  },
  "toolCalls.claim": {
    about:
      "For programs that learn of a call by a stream. The token proves in heartbeats, a release and the result that the caller holds it.",
    refusals: [
      UNKNOWN_CALL,
      OTHER_TOOL,
      ARCHIVED,
      "`409` `call_answered`, `call_closed`, `call_not_awaited`.",
      "`409` `chat_busy` while the server runs others of the step, and `call_claimed`, both with `Retry-After`.",
    ],
    repetition:
      "A repetition is a `409` `call_claimed`; `toolCalls.claimSome` with `resume` gives the token anew.",
    examples: {
      minimal: { holder: "runner-7" },
      full: { holder: "runner-7", lease_seconds: 60, message_id: EXAMPLE_IDS.message },
    },
  },
  "toolCalls.heartbeat": {
    about:
      "Renews the lease from now on. `progress` is shown to people with the call. Send it at a third of the lease.",
    refusals: [
      UNKNOWN_CALL,
      OTHER_TOOL,
      CLOSED,
      "`409` `lease_lost`: another program may have the call.",
    ],
    repetition: "It can be repeated.",
    examples: {
      minimal: { token: EXAMPLE_IDS.token },
      full: {
        token: EXAMPLE_IDS.token,
        lease_seconds: 120,
        progress: { message: "Copying files", percent: 40 },
      },
    },
  },
  "toolCalls.release": {
    about:
      "The call is open for other programs at once, or after `retry_after_seconds`. Release what the program has not begun; a call that it cannot do gets a result with `is_error`.",
    refusals: [UNKNOWN_CALL, OTHER_TOOL, CLOSED, "`409` `lease_lost`."],
    examples: {
      minimal: { token: EXAMPLE_IDS.token },
      full: { token: EXAMPLE_IDS.token, retry_after_seconds: 30 },
    },
  },
  "toolCalls.submitResult": {
    about:
      "The turn goes on with the last result of its step. Of a call that a program holds, only the holder's result counts, with its `token`; a person may always answer. `file_ids` are files that were sent before: people see them with the call, and the model is shown the images once.",
    refusals: [
      `${TOO_LONG.slice(0, -1)}: send it as a file.`,
      UNKNOWN_CALL,
      OTHER_TOOL,
      ARCHIVED,
      "`409` `call_answered`, `call_closed`, `call_not_awaited`, with `call`; `chat_busy` with `Retry-After`.",
      "`409` `lease_lost`; `call_claimed` with `Retry-After`.",
      "`400` for an output that does not fit the schema of the tool, and for files that the call cannot have.",
    ],
    repetition:
      "The same result again is a `204` and changes nothing, without an `Idempotency-Key`: with the same token for ever, without a token from the same key or person.",
    examples: {
      minimal: { output: "Deployed v12." },
      full: {
        output: "See the file.",
        is_error: false,
        token: EXAMPLE_IDS.token,
        message_id: EXAMPLE_IDS.message,
        file_ids: [EXAMPLE_IDS.file],
      },
    },
  },
  "toolCalls.extend": {
    about:
      "Each call has a deadline of its own, after which it is closed as `timed_out`; the others of its step stay open.",
    refusals: [
      "`400` for a time that has passed, or is over 30 days away.",
      UNKNOWN_CALL,
      OTHER_TOOL,
      ARCHIVED,
      "`409` `call_answered`, `call_closed`, `call_not_awaited`; `chat_busy` with `Retry-After`.",
    ],
    repetition: "The same deadline again changes nothing.",
    examples: {
      minimal: { deadline_at: "2026-12-24T18:00:00Z" },
      full: { deadline_at: "2026-12-24T18:00:00Z" },
    },
  },
  "chats.submitToolResults": {
    about:
      "All open calls of the step, or none: results for single calls are sent by `toolCalls.submitResult`. With `chat_id` in a result, calls of agents are answered at their root chat. The first of several requests wins.",
    refusals: [
      TOO_LONG,
      "`404` for an unknown chat or agent.",
      OTHER_TOOL,
      "`409` for a chat that waits for nothing, an archived one, and a question that is not open any more; `call_claimed`, `lease_lost`.",
      "`400` for an id that is missing, unknown or twice in it, and for outputs that do not fit; all of them are named.",
    ],
    limits: `A step has up to ${MAX_CALLS_PER_STEP} calls.`,
    examples: {
      minimal: { results: [{ tool_call_id: "call_1", output: "Deployed v12." }] },
      full: {
        results: [{ tool_call_id: "call_1", output: { ok: false }, is_error: true, file_ids: [] }],
      },
    },
  },
  "chats.decideApprovals": {
    about:
      "Some of the open calls, or all. The chat goes on when none is open any more. `scope` makes a rule for later calls of the same kind, in this chat or all; `args` changes what an approved call runs with.",
    refusals: [
      "`403` for a rule for all chats by a key without `admin`.",
      "`404` for an unknown chat or agent.",
      "`403` for a call of a tool that the key is not for.",
      "`409` for a chat that waits for nothing.",
      "`400` for an id that awaits no decision or is twice in it, for arguments that do not fit, and for a pattern that does not cover the call.",
    ],
    examples: {
      minimal: { decisions: [{ tool_call_id: "call_1", decision: "approve" }] },
      full: {
        decisions: [{ tool_call_id: "call_1", decision: "reject", reason: "Not on a Friday" }],
      },
    },
  },
  "approvalRules.list": {
    about:
      "Rules that decisions have made. Those for all chats are listed for keys that see all chats.",
  },
  "approvalRules.revoke": {
    about: "Calls that run already go on.",
    refusals: ["`404` for an unknown rule."],
    repetition: "A repetition is a `404`.",
  },
} as const satisfies OperationTexts;
