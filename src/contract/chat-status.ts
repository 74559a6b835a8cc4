import type { ChatStatus, RequiredAction } from "./chat";

const IS_BUSY: Record<ChatStatus, boolean> = {
  waiting: false,
  pending: true,
  running: true,
  interrupting: true,
  requires_action: true,
  awaiting_agents: true,
  error: false,
};

/** True while a turn runs or is parked: new messages are queued, and the turn can be interrupted. */
export const isBusy = (status: ChatStatus): boolean => IS_BUSY[status];

/** Counts the calls that wait for a person: for an approval, or for a result that no program works on. */
export const countOpenCalls = (action: RequiredAction | null): number =>
  action ? action.tool_calls.filter(({ claim }) => !claim).length + action.approvals.length : 0;

/** @returns the ids of the calls that a chat waits for; none if it does not wait. */
export const listOpenCallIds = (action: RequiredAction | null): string[] =>
  action ? [...action.tool_calls, ...action.approvals].map((call) => call.tool_call_id) : [];
