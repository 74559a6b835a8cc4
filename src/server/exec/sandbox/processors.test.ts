import { expect, it } from "vitest";
import { chooseProcessors, listProcessors } from "./processors";

it("lists the processors of this process, of which there is one at least", () => {
  const processors = listProcessors();
  expect(processors.length).toBeGreaterThanOrEqual(1);
  expect(processors).toEqual([...new Set(processors)].toSorted((a, b) => a - b));
});

it.each([
  ["all", 4, [0, 1, 2, 3], 0, ""],
  ["more than there are", 9, [0, 1], 0, ""],
  ["some from the first one", 3, [0, 1, 2, 3], 0, "0700000000000000"],
  ["some from another one", 2, [0, 1, 2, 3], 3, "0900000000000000"],
  ["those of a container", 1, [5, 6], 1, "4000000000000000"],
  ["those of a large machine", 1, [0, 70], 1, "00000000000000004000000000000000"],
])("chooses %s", (_, count, allowed, start, expected) => {
  expect(chooseProcessors(count, { allowed, start })).toBe(expected);
});
