import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { findExactNumbers } from "./exact-arguments";
import type { BoundCall, CallIdentity } from "./tool";
import type { ToolLog } from "./tool-context";
import type { OfferedTool } from "./tool-source";
import { tryValidateValues } from "@/server/tools/validation/validate-values";

/** A call with the tool that it names. */
export type CallToBind = CallIdentity & { tool: OfferedTool; args: JsonValue };

/** A call with checked arguments, or why it has none. */
export type Binding =
  | { type: "bound"; bound: BoundCall }
  /** A client runs it. */
  | { type: "dynamic" }
  | { type: "misfit"; errors: FieldError[] }
  /** The check failed or took too long. */
  | { type: "unchecked" };

export type BindDeps = {
  /** Whose requests wait for each other while schemas are checked. */
  userId: string;
  log: Pick<ToolLog, "error">;
};

/** Checks the arguments of calls as the inputs of their tools, in order. Does not reject. */
export const bindCalls = async (
  calls: readonly CallToBind[],
  deps: BindDeps,
): Promise<Binding[]> => {
  const reports = await validateBySchemas(calls, deps);
  return calls.map((call, index) => bindCall(call, reports[index]));
};

const bindCall = (
  { tool, args, chatId, toolCallId }: CallToBind,
  errors: FieldError[] | undefined,
): Binding => {
  if (!errors) return { type: "unchecked" };
  if (errors.length > 0) return { type: "misfit", errors };
  if (tool.kind === "dynamic") return { type: "dynamic" };
  const exact = tool.takesExactNumbers ? [] : findExactNumbers(args);
  if (exact.length > 0) return { type: "misfit", errors: exact };
  const bound = tool.bind(args, { chatId, toolCallId });
  return Array.isArray(bound) ? { type: "misfit", errors: bound } : { type: "bound", bound };
};

/** @returns of each call, the errors by a schema from outside, if its tool has one; undefined if it was not checked. */
const validateBySchemas = async (
  calls: readonly CallToBind[],
  { userId, log }: BindDeps,
): Promise<(FieldError[] | undefined)[]> => {
  const schemas = calls.map(({ tool }) =>
    tool.kind === "dynamic" ? (tool.parameters as JsonObject) : tool.argumentsSchema,
  );
  try {
    const errors = await tryValidateValues(
      calls.map(({ args }, index) => ({ schema: schemas[index], value: args })),
      userId,
    );
    // What a client runs is checked there once more; what runs here is not run unchecked.
    return calls.map(
      ({ tool }, index) => errors[index] ?? (tool.kind === "dynamic" ? [] : undefined),
    );
  } catch (error) {
    log.error({ err: error }, "arguments could not be checked");
    return calls.map((_call, index) => (schemas[index] === undefined ? [] : undefined));
  }
};
