import { totalmem } from "node:os";
import {
  type CommandResources,
  createCommandLimits,
  DEFAULT_MEMORY_BYTES,
} from "@/server/exec/sandbox/limits";
import { chooseProcessors, listProcessors } from "@/server/exec/sandbox/processors";

/** What operators have set; null for what they left to the machine. */
export type ResourceSettings = {
  memoryMegabytes: number | null;
  totalMemoryMegabytes: number | null;
  processors: number | null;
};

type Machine = { memoryBytes: number; processors: number };

const MEGABYTE = 1024 * 1024;
/** The rest is for the server, the database and the system. */
const SHARE_OF_MEMORY = 3 / 4;
/** What small machines give to one command: a build needs it. */
const SMALL_MEMORY_BYTES = 512 * MEGABYTE;

/**
 * Four commands, so that programs of MCP servers leave memory for others; on small machines fewer, which get more. Two
 * in any case: one command in the background leaves memory for another.
 */
const shareMemory = (totalBytes: number): number =>
  Math.floor(
    Math.min(DEFAULT_MEMORY_BYTES, Math.max(SMALL_MEMORY_BYTES, totalBytes / 4), totalBytes / 2),
  );

/** @returns what this process has of the machine, or of its container. */
const readMachine = (): Machine => ({
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  processors: listProcessors().length,
});

/**
 * Decides what commands get of the machine.
 *
 * @throws {Error} a sentence, when one command may use more than all together.
 */
export const decideResources = (
  settings: ResourceSettings,
  machine: Machine = readMachine(),
): { resources: CommandResources; totalBytes: number } => {
  const { memoryMegabytes, totalMemoryMegabytes, processors } = settings;
  const totalBytes = totalMemoryMegabytes
    ? totalMemoryMegabytes * MEGABYTE
    : Math.floor(machine.memoryBytes * SHARE_OF_MEMORY);
  const memoryBytes = memoryMegabytes ? memoryMegabytes * MEGABYTE : shareMemory(totalBytes);
  if (memoryBytes > totalBytes) {
    throw new Error(
      `PARLEY_EXEC_MEMORY_MB is ${memoryMegabytes}, but all commands together may use ${Math.floor(totalBytes / MEGABYTE)} MB: lower it, or raise PARLEY_EXEC_TOTAL_MEMORY_MB.`,
    );
  }
  // One is for the server.
  const count = processors ?? Math.max(1, machine.processors - 1);
  return {
    resources: { limits: createCommandLimits(memoryBytes), processors: chooseProcessors(count) },
    totalBytes,
  };
};
