import { type ToolOutcome, settle } from "./settle";

export type AnnouncedCall = { toolCallId: string; toolName: string; providerExecuted: boolean };

/**
 * Refuses a whole batch when an exclusive tool is not its only call. Provider tools do not count.
 *
 * @param calls all calls of the step, dynamic ones included, in call order.
 * @returns an outcome for each local call, in call order; undefined lets the batch run.
 */
export const exclusivePolicy = (
  calls: readonly AnnouncedCall[],
  exclusive: ReadonlySet<string>,
): Map<string, ToolOutcome> | undefined => {
  const local = calls.filter(({ providerExecuted }) => !providerExecuted);
  const first = exclusiveOf(local, exclusive)?.toolName;
  if (first === undefined) return undefined;
  return new Map(
    local.map(({ toolCallId, toolName }) => [
      toolCallId,
      settle({
        type: "refused",
        message: exclusive.has(toolName) ? mustBeAlone(toolName) : skippedFor(first),
      }),
    ]),
  );
};

/** @returns the first exclusive call among local ones, when it is not the only one. */
export const exclusiveOf = <Call extends { toolName: string }>(
  local: readonly Call[],
  exclusive: ReadonlySet<string>,
): Call | undefined =>
  local.length > 1 ? local.find(({ toolName }) => exclusive.has(toolName)) : undefined;

const mustBeAlone = (name: string): string =>
  `Not run: "${name}" must be the only tool call of its batch. Call it again, alone.`;

const skippedFor = (name: string): string =>
  `Skipped: "${name}" was called in the same batch and must be alone. Call this again without it, or call "${name}" alone first.`;
