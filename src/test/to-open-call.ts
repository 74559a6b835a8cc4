import type { AnswerableCall, OpenCall } from "@/contract/call";

const CHAT_ID = "00000000-0000-7000-8000-00000000000c";

/** A call as a parked chat names it, which no program has claimed. */
export const toOpenCall = (call: AnswerableCall): OpenCall => ({
  chat_id: CHAT_ID,
  root_chat_id: CHAT_ID,
  message_id: "00000000-0000-7000-8000-000000000001",
  labels: {},
  opened_at: "2026-11-21T09:59:00Z",
  attempt: 1,
  claim: null,
  ...call,
});
