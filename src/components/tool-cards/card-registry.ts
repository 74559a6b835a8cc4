import type { ComponentType } from "react";
import type { BuiltinToolName } from "@/contract/tool-names";
import { AdvisorCard } from "./advisor-card";
import { CurrentTimeCard } from "./current-time-card";
import { ListDirectoryCard } from "./list-directory-card";
import { ReadFileCard } from "./read-file-card";
import type { ToolCardProps } from "./tool-card";
import { WriteFileCard } from "./write-file-card";

/** A built-in tool does not compile until it has a card. */
export const CARD: Record<BuiltinToolName, ComponentType<ToolCardProps>> = {
  advisor: AdvisorCard,
  current_time: CurrentTimeCard,
  list_directory: ListDirectoryCard,
  read_file: ReadFileCard,
  write_file: WriteFileCard,
};

export const isBuiltinToolName = (name: string): name is BuiltinToolName =>
  Object.hasOwn(CARD, name);
