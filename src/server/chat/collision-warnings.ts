import type { DynamicTool } from "@/contract/dynamic-tool";
import { log } from "@/server/log";
import { builtinTools } from "@/server/tools/registry";
import { createToolbox } from "@/server/tools/toolbox";

/** A sentence for each dynamic tool that a new chat declares and will not be offered. */
export const collisionWarnings = (dynamicTools: DynamicTool[]): string[] =>
  dynamicTools.length === 0
    ? []
    : createToolbox({ tools: builtinTools, isRoot: true, dynamicTools, log: log() }).warnings;
