import { expect, it } from "vitest";
import { outputBudget } from "./output-budget";

it.each([
  [null, 65_536],
  [4_096, 16_384],
  [128_000, 128_000],
  [2_000_000, 262_144],
])("a model with a context of %s tokens gets %i bytes of a result", (contextLimit, bytes) => {
  expect(outputBudget(contextLimit)).toBe(bytes);
});
