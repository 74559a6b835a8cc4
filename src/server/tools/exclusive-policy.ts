import { type ToolOutcome, settle } from "./settle";

export type AnnouncedCall = { toolCallId: string; toolName: string; providerExecuted: boolean };

/**
 * Refuses a whole batch when an exclusive tool is not its only call. Provider tools do not count.
 *
 * @param calls all calls of the step, dynamic ones included, in call order.
 * @returns an outcome for each local call, in call order; undefined lets the batch run.
 */
export const applyExclusivePolicy = (
  calls: readonly AnnouncedCall[],
  exclusive: ReadonlySet<string>,
): Map<string, ToolOutcome> | undefined => {
  const local = calls.filter(({ providerExecuted }) => !providerExecuted);
  const first = findExclusiveCall(local, exclusive)?.toolName;
  if (first === undefined) return undefined;
  return new Map(
    local.map(({ toolCallId, toolName }) => [
      toolCallId,
      settle({
        type: "refused",
        message: exclusive.has(toolName) ? mustBeAloneMessage(toolName) : skippedMessage(first),
      }),
    ]),
  );
};

/** @returns the first exclusive call, unless it is the only local call of its batch. */
export const findExclusiveCall = <Call extends { toolName: string }>(
  local: readonly Call[],
  exclusive: ReadonlySet<string>,
): Call | undefined =>
  local.length > 1 ? local.find(({ toolName }) => exclusive.has(toolName)) : undefined;

const mustBeAloneMessage = (name: string): string =>
  `Not run: "${name}" must be the only tool call of its batch. Call it again, alone.`;

const skippedMessage = (name: string): string =>
  `Skipped: "${name}" was called in the same batch and must be alone. Call this again without it, or call "${name}" alone first.`;
