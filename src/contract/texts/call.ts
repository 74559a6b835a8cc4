import type {
  CallClaim,
  CallLease,
  CallProgress,
  ClaimedCall,
  ClaimedCalls,
  OpenCall,
  OpenCallPage,
  ToolCallDeadline,
} from "@/contract/call";
import type {
  ClaimToolCallInput,
  ClaimToolCallsInput,
  ExtendToolCallInput,
  ListToolCallsInput,
  ReleaseClaimInput,
  RenewClaimInput,
  SubmitToolResultInput,
  SubmitToolResultsInput,
} from "@/contract/call-inputs";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

const OPEN_CALL = {
  tool_call_id: SHARED.tool_call_id,
  tool_name: SHARED.tool_name,
  deadline_at: ["When the call times out."],
  args: ["The arguments from the model; a string if they are not valid JSON.", { version: "v12" }],
  description: ["What the tool does, as declared.", "Deploys a version"],
  output_schema: [
    "What a result must look like, as a JSON Schema.",
    { type: "object", properties: { ok: { type: "boolean" } } },
  ],
  elicitation: [
    "What the server of an MCP tool asks. The output of the result is then an `ElicitationAnswer`.",
  ],
  chat_id: ["The chat or the agent that the call is of.", "0198c0de-0000-7000-8000-000000000001"],
  root_chat_id: [
    "The chat that the agent works for; for a call of a root chat the chat itself.",
    "0198c0de-0000-7000-8000-000000000001",
  ],
  message_id: ["The message of the call.", "0198c0de-0000-7000-8000-000000000002"],
  toolset: ["The toolset of the tool; absent for a tool that a chat has by itself.", "crm"],
  labels: ["The labels of the root chat.", { app: "slackbot" }],
  opened_at: ["When the model made the call."],
  attempt: ["Which run of the call the present one is, or the next one if no program holds it.", 1],
} as const satisfies Record<string, FieldText>;

const CLAIM = {
  holder: ["What the program calls itself.", "runner-7"],
  claimed_at: ["When it claimed the call."],
  expires_at: ["When its lease ends, unless a heartbeat renews it."],
  progress: ["How far it is, if it has said so."],
} as const satisfies Record<string, FieldText>;

const CALL_REF = {
  chat_id: ["The chat or the agent that the call is of.", "0198c0de-0000-7000-8000-000000000001"],
  tool_call_id: SHARED.tool_call_id,
} as const satisfies Record<string, FieldText>;

const MESSAGE_ID = [
  "The message of the call. If the newest call with this id is of another message, the answer is a `409`.",
  "0198c0de-0000-7000-8000-000000000002",
] as const;

const HOLDER = [
  "What the program calls itself. People see it, and with `resume` it finds its own claims.",
  "runner-7",
] as const;

const LEASE_SECONDS = [
  "How long the program holds the call without a heartbeat, in seconds.",
  60,
] as const;

const TOKEN = [
  "The token of the claim, from the answer to it.",
  "0198c0de-0000-4000-8000-000000000020",
] as const;

const RESULT = {
  output: [
    "What the tool returned: any JSON of up to 1,048,576 characters. What is longer is sent as a file: see `file_ids`.",
    { version: "v12" },
  ],
  is_error: ["True if the call failed; the model sees it."],
  file_ids: [
    "Files that the call has made: of the chat, or sent by `POST /files` for no chat yet. People see them with the call; the model is shown the images among them once.",
    ["0198c0de-0000-7000-8000-000000000021"],
  ],
  question: [
    "The number of the `elicitation` that the result answers. If the server asks something else by now, the answer is a `409`.",
    1,
  ],
} as const satisfies Record<string, FieldText>;

export const CALL_TEXTS = {
  OpenCall: {
    ...OPEN_CALL,
    claim: ["The program that works on the call; null for none.", null],
  } satisfies FieldTexts<OpenCall>,
  CallClaim: CLAIM satisfies FieldTexts<CallClaim>,
  CallProgress: {
    message: ["What the program does.", "Copying files"],
    percent: ["How much of it is done, from 0 to 100.", 40],
  } satisfies FieldTexts<CallProgress>,
  ClaimedCall: {
    ...OPEN_CALL,
    claim: ["The claim of the caller."],
    "claim.holder": CLAIM.holder,
    "claim.claimed_at": CLAIM.claimed_at,
    "claim.expires_at": CLAIM.expires_at,
    "claim.progress": CLAIM.progress,
    "claim.token": [
      "Proves that the caller holds the call, in a heartbeat, a release and the result. A secret.",
      "0198c0de-0000-4000-8000-000000000020",
    ],
  } satisfies FieldTexts<ClaimedCall>,
  ClaimedCalls: {
    data: ["The calls that the caller holds now; none if none was free."],
  } satisfies FieldTexts<ClaimedCalls>,
  OpenCallPage: {
    data: ["The calls, the oldest first."],
    next_cursor: ["Gives the next page, as `cursor`; absent on the last one."],
  } satisfies FieldTexts<OpenCallPage>,
  CallLease: {
    expires_at: CLAIM.expires_at,
    deadline_at: OPEN_CALL.deadline_at,
  } satisfies FieldTexts<CallLease>,
  ToolCallDeadline: {
    deadline_at: OPEN_CALL.deadline_at,
  } satisfies FieldTexts<ToolCallDeadline>,
  "toolCalls.list": {
    tool: ["Only calls of this tool.", "restart_server"],
    toolset: ["Only calls of the tools of this toolset.", "crm"],
    label: [
      "Only calls whose root chat has this label, as `key=value`. May be repeated: all of them are required.",
      "app=slackbot",
    ],
    claimed: ["True for calls that a program holds, false for the others.", false],
    cursor: ["The `next_cursor` of the page before."],
    limit: ["How many calls a page has at most."],
  } satisfies FieldTexts<ListToolCallsInput>,
  "toolCalls.claimSome": {
    holder: HOLDER,
    tools: ["Names of the tools that the program runs; all by default.", ["restart_server"]],
    toolset: [
      "Only calls of the tools of this toolset. The program counts as connected for it from then on, until it has asked for no calls for 45 seconds.",
      "crm",
    ],
    toolset_version: [
      "The version of the toolset that the program has; by default the one that is declared now.",
      "1.4.2",
    ],
    labels: ["Labels that the root chats of the calls must have.", { app: "slackbot" }],
    lease_seconds: LEASE_SECONDS,
    limit: ["How many calls to claim at most.", 1],
    wait_seconds: ["How long to wait for a call if there is none, in seconds.", 0],
    resume: [
      "True to get also what the same holder has claimed already with the same key, with new tokens: after a restart it need not wait for the ends of its leases.",
      false,
    ],
  } satisfies FieldTexts<ClaimToolCallsInput>,
  "toolCalls.claim": {
    ...CALL_REF,
    holder: HOLDER,
    lease_seconds: LEASE_SECONDS,
    message_id: MESSAGE_ID,
  } satisfies FieldTexts<ClaimToolCallInput>,
  "toolCalls.heartbeat": {
    ...CALL_REF,
    token: TOKEN,
    lease_seconds: ["How long the lease is from now on, in seconds; left out, as it was.", 60],
    progress: ["How far the program is. People see it with the call."],
    "progress.message": ["What it does.", "Copying files"],
    "progress.percent": ["How much of it is done, from 0 to 100.", 40],
  } satisfies FieldTexts<RenewClaimInput>,
  "toolCalls.release": {
    ...CALL_REF,
    token: TOKEN,
    retry_after_seconds: ["How long no program is offered the call, in seconds.", 0],
  } satisfies FieldTexts<ReleaseClaimInput>,
  "toolCalls.extend": {
    ...CALL_REF,
    deadline_at: ["Until when the call is open: at most 30 days from now.", "2026-12-24T18:00:00Z"],
  } satisfies FieldTexts<ExtendToolCallInput>,
  "toolCalls.submitResult": {
    ...CALL_REF,
    message_id: MESSAGE_ID,
    token: [
      "The token of the claim of the call. Without one, only a call that no program holds takes the result, unless a person sends it.",
      "0198c0de-0000-4000-8000-000000000020",
    ],
    ...RESULT,
  } satisfies FieldTexts<SubmitToolResultInput>,
  "chats.submitToolResults": {
    chat_id: SHARED.chat_id,
    results: ["A result for each open call of the step."],
    "results.chat_id": [null, "0198c0de-0000-7000-8000-000000000001"],
    "results.tool_call_id": SHARED.tool_call_id,
    "results.claim_token": [
      "The token of the claim of the call, if a program holds it.",
      "0198c0de-0000-4000-8000-000000000020",
    ],
    "results.output": RESULT.output,
    "results.is_error": RESULT.is_error,
    "results.file_ids": RESULT.file_ids,
    "results.question": RESULT.question,
  } satisfies FieldTexts<SubmitToolResultsInput>,
} satisfies SchemaTexts;
