import type { SectionReader } from "./setting-reader";

/** More than a machine has. */
export const MAX_MEGABYTES = 1_000_000_000;
const MAX_PROCESSORS = 8_192;
/** Less starts no program that is worth it. */
const MIN_MEGABYTES = 128;

/** Reads what commands may use of the machine; null for what is left to it. */
export const readExecResources = (read: SectionReader) => ({
  memoryMegabytes: read.optionalInt("PARLEY_EXEC_MEMORY_MB", {
    about:
      "Memory that one command may use with all its processes, in MB; the same for a program of an MCP server. Without a value a quarter of all commands' memory, but 512 to 1024, and half of it where that is less.",
    min: MIN_MEGABYTES,
    max: MAX_MEGABYTES,
  }),
  totalMemoryMegabytes: read.optionalInt("PARLEY_EXEC_TOTAL_MEMORY_MB", {
    about:
      "Memory that all commands and programs of a process may use together, in MB. A command that finds no room waits for others. Without a value three quarters of the machine's or the container's memory.",
    min: MIN_MEGABYTES,
    max: MAX_MEGABYTES,
  }),
  processors: read.optionalInt("PARLEY_EXEC_PROCESSORS", {
    about:
      "Processors that all commands and programs of a process share. Without a value all but one.",
    min: 1,
    max: MAX_PROCESSORS,
  }),
});
