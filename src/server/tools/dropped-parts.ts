import type { DroppedPart } from "./tool-parameters";

/** People read them, and a chat's are sent with every event of the chat. */
const MAX_WARNINGS_PER_TOOL = 10;
/** Keys of a schema can be as long as the schema. */
const MAX_POINTER_LENGTH = 200;

/**
 * Describes the parts of a tool's schema that models do not get, one sentence each.
 *
 * @param at the pointer of the schema in its declaration.
 */
export const describeDropped = (
  dropped: readonly DroppedPart[],
  { tool, at }: { tool: string; at: string },
): string[] => {
  const named = dropped
    .slice(0, MAX_WARNINGS_PER_TOOL)
    .map(
      ({ pointer, reason }) =>
        `The tool "${tool}" is offered without ${cutPointer(at + pointer)}, which ${reason}.`,
    );
  const more = dropped.length - named.length;
  return more > 0
    ? [...named, `The tool "${tool}" is offered without ${more} more parts of its ${at.slice(1)}.`]
    : named;
};

const cutPointer = (pointer: string): string =>
  pointer.length > MAX_POINTER_LENGTH
    ? `${pointer.slice(0, MAX_POINTER_LENGTH).toWellFormed()}…`
    : pointer;
