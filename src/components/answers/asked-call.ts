import type { OpenCall } from "@/contract/call";

/**
 * Whether a person is asked for the answer to a call: no program works on it, or the person has begun to answer it
 * nevertheless.
 *
 * @param drafts by `tool_call_id`.
 */
export const isAskedCall = (
  { claim, tool_call_id: id }: OpenCall,
  drafts: Readonly<Record<string, unknown>>,
): boolean => claim === null || drafts[id] !== undefined;
