import { expect, it } from "vitest";
import { builtinTools } from "@/test/tool-fixture";
import { BUILTIN_TOOLS, findToolGuide } from "./builtin-tools";

it("every built-in tool has a text for people, and no other tool has one", () => {
  const names = builtinTools.map(({ name }) => name);
  expect(Object.keys(BUILTIN_TOOLS).toSorted()).toEqual(names.toSorted());
});

it("what agents of the type explore may use changes nothing", () => {
  for (const { name, agentTypes } of builtinTools) {
    if (agentTypes?.includes("explore")) expect(BUILTIN_TOOLS[name]?.isChanging).toBe(false);
  }
});

it("a tool of which nothing is known may change something", () => {
  const tool = { name: "exec", source: "mcp", description: "Runs it." } as const;
  expect(findToolGuide(tool)).toEqual({ area: "MCP servers", isChanging: true, text: "Runs it." });
  expect(findToolGuide({ ...tool, read_only: true })).toMatchObject({ isChanging: false });
});
