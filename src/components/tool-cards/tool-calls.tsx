"use client";
import type { ToolCallView } from "@/contract/chat-view";
import ToolCall from "./tool-call";
import { ToolCallGroup } from "./tool-call-group";
import type { ToolCardProps } from "./tool-card";

type ToolCallsProps = Omit<ToolCardProps, "part"> & {
  /** In order; at least one. */
  calls: readonly ToolCallView[];
};

/** The card of a call, or a line for many calls in a row. Both are one part of the page, so that neither waits for the other. */
const ToolCalls = ({ calls, ...rest }: ToolCallsProps) => {
  const [first] = calls;
  return first && calls.length === 1 ? (
    <ToolCall part={first} {...rest} />
  ) : (
    <ToolCallGroup calls={calls} {...rest} />
  );
};
export default ToolCalls;
