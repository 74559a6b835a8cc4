import { expect, it } from "vitest";
import { decideResources } from "./command-resources";

const MEGABYTE = 1024 * 1024;
const NOTHING_SET = { memoryMegabytes: null, totalMemoryMegabytes: null, processors: null };

const decide = (
  machineMegabytes: number,
  settings: Partial<typeof NOTHING_SET | Record<string, number>> = {},
) => {
  const machine = { memoryBytes: machineMegabytes * MEGABYTE, processors: 4 };
  const { resources, totalBytes } = decideResources({ ...NOTHING_SET, ...settings }, machine);
  return [resources.limits.memoryBytes / MEGABYTE, totalBytes / MEGABYTE];
};

it.each([
  ["a large machine", 16_384, {}, [1_024, 12_288]],
  ["a small machine, which has room for two commands", 1_024, {}, [384, 768]],
  ["a machine of 2 GB, which has room for three", 2_048, {}, [512, 1_536]],
  ["a machine of 4 GB, which has room for four", 4_096, {}, [768, 3_072]],
  ["a total", 16_384, { totalMemoryMegabytes: 3_000 }, [750, 3_000]],
  ["a small total", 16_384, { totalMemoryMegabytes: 1_000 }, [500, 1_000]],
  ["one command", 16_384, { memoryMegabytes: 4_096 }, [4_096, 12_288]],
  [
    "one command that has all",
    16_384,
    { memoryMegabytes: 512, totalMemoryMegabytes: 512 },
    [512, 512],
  ],
])("decides the memory of commands by %s", (_, machine, settings, expected) => {
  expect(decide(machine, settings)).toEqual(expected);
});

it("refuses a command that may use more than all together, and names the settings", () => {
  expect(() => decide(1_024, { memoryMegabytes: 1_024 })).toThrow(
    "PARLEY_EXEC_MEMORY_MB is 1024, but all commands together may use 768 MB: lower it, or raise PARLEY_EXEC_TOTAL_MEMORY_MB.",
  );
});
