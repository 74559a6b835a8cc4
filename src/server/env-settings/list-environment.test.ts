import { expect, it } from "vitest";
import { listEnvironment } from "./list-environment";

it("lists each setting once, with sentences for operators", () => {
  const settings = listEnvironment();
  const names = settings.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(expect.arrayContaining(["PORT", "OPENAI_BASE_URL", "MCP_…"]));
  for (const { about } of settings) expect(about).toMatch(/^[A-Z`].*\.$/);
});

it("says which values are valid, and what is used without a value", () => {
  expect(listEnvironment()).toContainEqual({
    section: "Data",
    name: "PARLEY_DATABASE_POOL",
    about: "Connections of one process for transactions; [others](operations.md) are more.",
    values: "a whole number from 1 to 500",
    fallback: "10",
  });
});
