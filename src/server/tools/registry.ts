import type { BuiltinToolName } from "@/contract/tool-outputs";
import { type AdvisorDeps, createAdvisorTool } from "./advisor";
import { currentTimeTool } from "./current-time";
import { createListDirectoryTool } from "./list-directory";
import { createReadFileTool } from "./read-file";
import type { Tool } from "./tool";
import type { WorkspaceDeps } from "./workspace";
import { createWriteFileTool } from "./write-file";

/** What the tools need of the app, each declared by the file that needs it. */
export type ToolDeps = AdvisorDeps & WorkspaceDeps;

/** Creates the built-in tools of a process: a new tool is a line here and an output in the contract. */
export const createTools = (deps: ToolDeps) =>
  ({
    advisor: createAdvisorTool(deps),
    current_time: currentTimeTool,
    list_directory: createListDirectoryTool(deps),
    read_file: createReadFileTool(deps),
    write_file: createWriteFileTool(deps),
  }) as const satisfies { [Name in BuiltinToolName]: Tool<Name> };
