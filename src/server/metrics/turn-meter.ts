import type { ToolKind } from "@/contract/part";
import type { RecordMeter } from "./meters";

type MeteredCall = { kind: ToolKind; toolName: string };

/** Records what turns do. */
export type TurnMeter = {
  record: RecordMeter;
  /** Converts the tool of a call to labels. */
  labelTool: (call: MeteredCall) => { tool: string };
};

/**
 * @param record records in the registry of the process.
 * @param builtinTools their names are the only ones that become a label's value.
 */
export const createTurnMeter = (
  record: RecordMeter,
  builtinTools: readonly string[],
): TurnMeter => ({ record, labelTool: createToolLabeler(new Set(builtinTools)) });

/**
 * Creates what converts a tool to labels. Names from clients and models are unbounded, and each label's value stays in
 * memory until the process ends, so only names of built-in tools become one.
 */
export const createToolLabeler =
  (builtinTools: ReadonlySet<string>): TurnMeter["labelTool"] =>
  ({ kind, toolName }) => {
    if (kind !== "builtin") return { tool: kind };
    return { tool: builtinTools.has(toolName) ? toolName : "unknown" };
  };
