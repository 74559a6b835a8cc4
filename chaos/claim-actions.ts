import { randomUUID } from "node:crypto";
import type { ClaimedCall, ClaimedCalls, OpenCallPage } from "@/contract/call";
import type { JsonValue } from "@/contract/json";
import type { Api } from "../e2e/api";
import { waitUntil } from "../e2e/wait-until";
import { type Action, type ActionDeps, createOutput } from "./actions";
import { postUntilAnswered } from "./keyed-request";
import { type Claim, endAttempt, type Ledger, startAttempt, type TrackedChat } from "./ledger";

/** The shortest one. Clients that renew it do so in time, as a round is shorter. */
const LEASE_SECONDS = 10;
/** A client takes so many calls at once. */
const MAX_CALLS = 3;
/** Leases end in this time after the last start: no lease ends in the first 30 s. */
const LEASES_TIMEOUT_MS = 90_000;

/** Answers one call of a step, without a claim, as do other clients at the same time. */
export const submitOneResult: Action = async (deps, chat) => {
  const found = await deps.api.chat(chat.id).catch(() => undefined);
  const calls = found?.required_action?.tool_calls ?? [];
  await Promise.all(
    calls.map(({ chat_id, tool_call_id, tool_name }) =>
      submit(deps, chat, {
        path: toPath(chat_id, tool_call_id),
        toolCallId: tool_call_id,
        output: createOutput(deps, tool_name),
      }),
    ),
  );
};

/** Claims calls of any chats and works on them: to the end, or until it gives them back or dies. */
export const runClaimedCalls: Action = async (deps) => {
  const { api, ledger, random } = deps;
  const holder = `runner-${deps.nextNumber()}`;
  const body = {
    holder,
    lease_seconds: LEASE_SECONDS,
    limit: 1 + Math.floor(random.next() * MAX_CALLS),
    // A repetition returns what an attempt without an answer has claimed.
    resume: true,
  };
  const answer = await postUntilAnswered(api, {
    route: "POST /tool-calls/claim",
    body,
    key: randomUUID(),
  });
  if (answer?.status !== 200) {
    ledger.report("stuck", `${holder} could not claim calls: ${answer?.status ?? "no answer"}`);
    return;
  }
  const work = (answer.body as ClaimedCalls).data.map((call) => runCall(deps, holder, call));
  await Promise.all(work);
};

const toPath = (chatId: string, toolCallId: string): string =>
  `/chats/${chatId}/tool-calls/${encodeURIComponent(toolCallId)}`;

const runCall = async (deps: ActionDeps, holder: string, call: ClaimedCall): Promise<void> => {
  const { api, ledger, random, post } = deps;
  const { chat_id, tool_call_id, message_id, tool_name, claim: held } = call;
  const claim: Claim = {
    holder,
    call: `${message_id}/${tool_call_id}`,
    attempt: call.attempt,
    toolName: tool_name,
    token: held.token,
    path: toPath(chat_id, tool_call_id),
    end: "abandoned",
  };
  ledger.claims.push(claim);
  const chat = ledger.chats.find(({ id }) => id === chat_id);
  const choice = random.next();
  if (chat === undefined || choice < 0.15) {
    claim.end = "released";
    await post(`POST ${claim.path}/release`, { token: claim.token });
    return;
  }
  // Its program is killed.
  if (choice < 0.3) return;
  if (choice < 0.5) {
    const progress = { message: "Working", percent: 50 };
    const body = { token: claim.token, progress };
    await postUntilAnswered(api, {
      route: `POST ${claim.path}/heartbeat`,
      body,
      key: randomUUID(),
    });
  }
  claim.end = "answered";
  await submit(deps, chat, {
    path: claim.path,
    toolCallId: tool_call_id,
    output: createOutput(deps, tool_name),
    token: claim.token,
  });
};

const submit = async (
  { post }: ActionDeps,
  chat: TrackedChat,
  result: { path: string; toolCallId: string; output: JsonValue; token?: string },
): Promise<void> => {
  const { path, toolCallId, ...body } = result;
  const submission = startAttempt({ toolCallId, output: result.output });
  chat.submissions.push(submission);
  endAttempt(submission, await post(`POST ${path}/result`, body));
};

const listOpenCalls = async (api: Api, query: string): Promise<OpenCallPage["data"]> => {
  const { status, body } = await api.request(`GET /tool-calls?limit=200${query}`);
  if (status !== 200) throw new Error(`GET /tool-calls: ${status}`);
  return (body as OpenCallPage).data;
};

/**
 * Waits until the leases of programs that have died are over. What they held is then open again, or closed if it must not run
 * twice, and their late results count for nothing.
 */
export const loseLeases = async (
  api: Api,
  ledger: Ledger,
  isRepeatable: (toolName: string) => boolean,
): Promise<void> => {
  await waitUntil("no call is claimed any more", LEASES_TIMEOUT_MS, async () => {
    const claimed = await listOpenCalls(api, "&claimed=true");
    return claimed.length === 0 || undefined;
  });
  const open = await listOpenCalls(api, "");
  const abandoned = ledger.claims.filter(({ end }) => end === "abandoned");
  const calls = new Set(abandoned.map(({ call }) => call));
  for (const { message_id, tool_call_id, tool_name } of open) {
    const call = `${message_id}/${tool_call_id}`;
    if (!isRepeatable(tool_name) && calls.has(call))
      ledger.report("doubled", `the call ${call} may run again, although its program has died`);
  }
  for (const { path, token, holder } of abandoned) {
    const body = { token, output: 0 };
    const answer = await postUntilAnswered(api, {
      route: `POST ${path}/result`,
      body,
      key: randomUUID(),
    });
    if (answer === undefined) ledger.report("stuck", `the late result of ${holder} got no answer`);
    else if (answer.status < 400)
      ledger.report("doubled", `the late result of ${holder} for ${path} was taken`);
  }
};
