import type { BuiltinToolName } from "@/contract/tool-names";
import { advisor } from "./advisor";
import { currentTime } from "./current-time";
import { listDirectory } from "./list-directory";
import { readFile } from "./read-file";
import type { Tool } from "./tool";
import { writeFile } from "./write-file";

/** Adding a line here, and the name to the contract, is the whole of adding a tool. */
export const tools = {
  advisor,
  current_time: currentTime,
  list_directory: listDirectory,
  read_file: readFile,
  write_file: writeFile,
} as const satisfies { [Name in BuiltinToolName]: Tool<Name> };

export const builtinTools: readonly Tool[] = Object.values(tools);
