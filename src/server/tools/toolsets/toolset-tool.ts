import type { JSONSchema7 } from "@ai-sdk/provider";
import { type ToolsetDeclaration, type ToolsetTool, toToolsetToolName } from "@/contract/toolset";
import { maskSecrets } from "@/server/mask-secrets";
import { describeDropped } from "@/server/tools/dropped-parts";
import { dynamicToolBugMessage, NO_PARAMETERS, toDefinition } from "@/server/tools/dynamic-tools";
import { mapStrings } from "@/server/tools/map-texts";
import type { Tool } from "@/server/tools/tool";
import {
  createInliningBudget,
  type InliningBudget,
  toToolParameters,
} from "@/server/tools/tool-parameters";

/** The tools of a toolset that a program is connected for. */
export type OfferedToolset = {
  tools: readonly Tool[];
  /** A sentence for each part of their schemas that models do not get. */
  warnings: readonly string[];
};

const ABSENT = "No program that runs it is connected.";

/**
 * Converts the tools of a toolset to those of turns, in declared order. Texts come from a program and reach every chat, so that
 * secrets in them are masked.
 */
export const toOfferedToolset = (
  toolset: string,
  declaration: ToolsetDeclaration,
  isPresent: boolean,
): OfferedToolset => {
  const budget = createInliningBudget();
  const offered = declaration.tools.map((tool) =>
    toTool(toolset, { tool, declaration, isPresent }, budget),
  );
  return {
    tools: offered.map(({ tool }) => tool),
    warnings: offered.flatMap(({ warnings }) => warnings),
  };
};

type Declared = { tool: ToolsetTool; declaration: ToolsetDeclaration; isPresent: boolean };

const toTool = (
  toolset: string,
  { tool: { approval, ...declared }, declaration, isPresent }: Declared,
  budget: InliningBudget,
): { tool: Tool; warnings: string[] } => {
  const name = toToolsetToolName(toolset, declared.name);
  const { description = "", input_schema: schema } = declared;
  const { parameters, dropped } =
    schema === undefined
      ? NO_PARAMETERS
      : toToolParameters(mapStrings(schema, maskSecrets), budget);
  const absence = isPresent ? undefined : ABSENT;
  const tool: Tool = {
    kind: "toolset",
    name,
    description: maskSecrets(description),
    parameters: parameters as JSONSchema7,
    // As for a tool of a chat, what models do not get is not asked of them.
    argumentsSchema: parameters,
    takesExactNumbers: true,
    exclusive: false,
    rootOnly: false,
    stopsTurn: false,
    isForChosen: declaration.offered_to === "chosen",
    definition: toDefinition(declared),
    unavailable: declaration.when_absent === "withhold" ? absence : undefined,
    notice: () => absence,
    bind: () => ({
      needsApproval: () => Promise.resolve(approval === "always"),
      approvalScope: () => null,
      run: () => Promise.reject(new Error(dynamicToolBugMessage(name))),
    }),
  };
  return { tool, warnings: describeDropped(dropped, { tool: name, at: "/input_schema" }) };
};
