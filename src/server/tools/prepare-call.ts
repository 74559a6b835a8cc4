import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { checkInTime } from "./check-in-time";
import { type ToolOutcome, settle } from "./settle";
import type { BoundCall, Tool } from "./tool";
import type { Toolbox } from "./toolbox";

export type RequestedCall = {
  toolName: string;
  /** What the model sent; a string when it was no valid JSON. */
  args: JsonValue;
};

/** What is to be done with a call: run it here, wait for a client, or nothing as it cannot be. */
export type PreparedCall =
  | { type: "run"; tool: Tool; call: BoundCall }
  | { type: "dynamic" }
  | { type: "refused"; outcome: ToolOutcome };

/** Looks a call's tool up and checks the arguments. Does not throw and runs nothing. */
export const prepareCall = ({ toolName, args }: RequestedCall, toolbox: Toolbox): PreparedCall => {
  const tool = toolbox.find(toolName);
  if (!tool) return refused(unknownTool(toolName, toolbox));
  if (typeof args === "string") {
    return refused(`The arguments of "${toolName}" are no JSON object.`);
  }
  if (tool.kind === "dynamic") {
    const problems = checkInTime(tool.parameters as JsonObject, args);
    return problems.length > 0 ? refused(misfit(toolName, problems)) : { type: "dynamic" };
  }
  const bound = tool.bind(args);
  return Array.isArray(bound)
    ? refused(misfit(toolName, bound))
    : { type: "run", tool, call: bound };
};

const refused = (message: string): PreparedCall => ({
  type: "refused",
  outcome: settle({ type: "refused", message }),
});

const unknownTool = (name: string, { definitions }: Toolbox): string => {
  const offered = definitions.map((definition) => definition.name).join(", ");
  const those = offered === "" ? "No tools are offered." : `The tools are: ${offered}.`;
  return name.trim() === ""
    ? `The call names no tool. ${those}`
    : `There is no tool "${name}". ${those}`;
};

const misfit = (name: string, problems: FieldError[]): string =>
  [
    `The arguments do not fit "${name}":`,
    ...problems.slice(0, 20).map(({ pointer, message }) => `- ${pointer || "/"}: ${message}`),
  ].join("\n");
