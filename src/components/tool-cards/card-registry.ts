import type { ComponentType } from "react";
import type { BuiltinToolName } from "@/contract/tool-outputs";
import { AdvisorCard } from "./advisor-card";
import { CurrentTimeCard } from "./current-time-card";
import { ListDirectoryCard } from "./list-directory-card";
import { ReadFileCard } from "./read-file-card";
import type { BuiltinCardProps } from "./tool-card";
import { WriteFileCard } from "./write-file-card";

type Cards = { [Name in BuiltinToolName]: ComponentType<BuiltinCardProps<Name>> };

/** A built-in tool does not compile until it has a card. */
export const CARD: Cards = {
  advisor: AdvisorCard,
  current_time: CurrentTimeCard,
  list_directory: ListDirectoryCard,
  read_file: ReadFileCard,
  write_file: WriteFileCard,
};
