import type { LanguageModelV4, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { memoizeByObject } from "@/lib/memoize-by-object";
import type { StepOutcome } from "./model-step";

type Tools = LanguageModelV4FunctionTool[];

/** How servers name one tool of a request: by its place in the list, or by its name. */
const PLACES = [/function_?declarations\[(\d+)\]/i, /\btools(?:\.|\[)(\d+)\b/i];
const NAME = /\b(?:function|tool)(?: named)?:? [`'"]([\w-]{1,64})[`'"]/i;
/** Statuses of a request that can never work as it is. */
const REFUSED = [400, 422];

/** @returns the tool of a request for which a server has refused it, if it names one. */
export const findRefusedTool = (
  outcome: Extract<StepOutcome, { type: "failed" }>,
  tools: Tools,
): LanguageModelV4FunctionTool | undefined => {
  if (outcome.parts.length > 0) return undefined;
  const { kind, status_code: status = 0, detail = "" } = outcome.failure;
  if (kind !== "config" || !REFUSED.includes(status)) return undefined;
  for (const pattern of PLACES) {
    const place = pattern.exec(detail)?.[1];
    if (place !== undefined) return tools[Number(place)];
  }
  const name = NAME.exec(detail)?.[1];
  return tools.find((tool) => tool.name === name);
};

/** The refused tools of each client, by name: the schema that was refused. */
const refusedSchemas = memoizeByObject<LanguageModelV4, Map<string, string>>(() => new Map());

/** Leaves a tool out of all further requests of a client, as long as its schema is the same. */
export const leaveOut = (client: LanguageModelV4, tool: LanguageModelV4FunctionTool): void => {
  refusedSchemas(client).set(tool.name, JSON.stringify(tool.inputSchema));
};

export const withoutRefused = (client: LanguageModelV4, tools: Tools): Tools => {
  const schemas = refusedSchemas(client);
  const isRefused = ({ name, inputSchema }: LanguageModelV4FunctionTool): boolean =>
    schemas.has(name) && schemas.get(name) === JSON.stringify(inputSchema);
  return schemas.size > 0 && tools.some(isRefused)
    ? tools.filter((tool) => !isRefused(tool))
    : tools;
};
