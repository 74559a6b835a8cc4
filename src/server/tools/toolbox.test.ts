import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BUILTIN_TOOL_NAMES } from "@/contract/tool-names";
import { recordedSeams } from "@/test/call-seams";
import { builtinTools, tools } from "./registry";
import { type Tool, defineTool } from "./tool";
import { toolResult } from "./tool-result";
import { createToolbox } from "./toolbox";

const tool = (name: string, traits: Partial<Tool> = {}): Tool => ({
  ...defineTool({
    name,
    description: `Does ${name}`,
    input: z.strictObject({}),
    run: () => Promise.resolve(toolResult("done")),
  }),
  ...traits,
});

const open = (parts: Partial<Parameters<typeof createToolbox>[0]>) => {
  const { seams, logged } = recordedSeams();
  const toolbox = createToolbox({
    tools: [],
    isRoot: true,
    dynamicTools: [],
    log: seams.log,
    ...parts,
  });
  return { toolbox, names: toolbox.definitions.map(({ name }) => name), logged };
};

describe("the order of definitions", () => {
  it("is built-in ones by name, then recipe and MCP ones, then dynamic ones as declared", () => {
    const { names } = open({
      tools: [
        tool("z_mcp", { kind: "mcp" }),
        tool("write"),
        tool("b_recipe", { kind: "recipe" }),
        tool("a_recipe", { kind: "recipe" }),
        tool("advise"),
      ],
      dynamicTools: [{ name: "zebra" }, { name: "ant" }],
    });
    expect(names).toEqual(["advise", "write", "b_recipe", "a_recipe", "z_mcp", "zebra", "ant"]);
  });

  it("does not depend on the order of the registry", () => {
    const dynamicTools = [{ name: "zebra" }];
    const forwards = open({ tools: builtinTools, dynamicTools });
    const backwards = open({ tools: builtinTools.toReversed(), dynamicTools });
    expect(backwards.toolbox.definitions).toEqual(forwards.toolbox.definitions);
  });
});

describe("a dynamic tool whose name is taken", () => {
  it.each([
    ["by a built-in tool", "read", "a built-in tool"],
    ["by a recipe tool", "deploy", "a recipe tool"],
    ["by an MCP tool", "docs_search", "an MCP server"],
    ["by a provider's own tool", "web_search", "model provider"],
    ["by a provider's own tool that is not offered", "computer", "model provider"],
    ["by a dynamic tool before it", "ask", "dynamic tool"],
  ])("%s is left out with a warning, the others stay", (_what, name, owner) => {
    const { toolbox, names, logged } = open({
      tools: [
        tool("read"),
        tool("deploy", { kind: "recipe" }),
        tool("docs_search", { kind: "mcp" }),
      ],
      dynamicTools: [{ name: "ask" }, { name, description: "the second" }, { name: "tell" }],
    });
    expect(names).toEqual(["read", "deploy", "docs_search", "ask", "tell"]);
    expect(toolbox.warnings).toEqual([expect.stringContaining(`"${name}"`)]);
    expect(toolbox.warnings[0]).toContain(owner);
    expect(logged).toHaveLength(1);
    for (const one of ["ask", "tell"]) expect(toolbox.find(one)?.kind).toBe("dynamic");
  });

  it("leaves the name to the other one", () => {
    const { toolbox } = open({ tools: [tool("read")], dynamicTools: [{ name: "read" }] });
    expect(toolbox.find("read")?.kind).toBe("builtin");
  });
});

describe("a child chat", () => {
  const parts = { tools: [tool("spawn", { rootOnly: true, exclusive: true }), tool("read")] };

  it("is not offered what only root chats may do", () => {
    const { toolbox, names } = open({ ...parts, isRoot: false });
    expect(names).toEqual(["read"]);
    expect(toolbox.find("spawn")).toBeUndefined();
    expect(toolbox.exclusive.size).toBe(0);
  });

  it("has a root chat above it that is", () => {
    const { toolbox, names } = open(parts);
    expect(names).toEqual(["read", "spawn"]);
    expect([...toolbox.exclusive]).toEqual(["spawn"]);
  });
});

it("a toolbox knows nothing by the names of a prototype", () => {
  const { toolbox } = open({});
  expect(toolbox.find("constructor")).toBeUndefined();
  expect(toolbox.find("__proto__")).toBeUndefined();
});

describe("the registry", () => {
  it("holds exactly the tools that have cards", () => {
    expect(Object.keys(tools).sort()).toEqual([...BUILTIN_TOOL_NAMES].sort());
  });

  it.each(builtinTools.map((each) => [each.name, each] as const))(
    "offers %s with a description and an object schema",
    (_name, { description, parameters }) => {
      expect(description.length).toBeGreaterThan(20);
      expect(parameters).toMatchObject({ type: "object", additionalProperties: false });
      expect(parameters).not.toHaveProperty("$schema");
    },
  );

  it.each(builtinTools.map((each) => [each.name, each] as const))(
    "takes null for every optional argument of %s, as strict modes send it",
    (_name, { parameters, bind }) => {
      const required = new Set(parameters.required);
      const args = Object.fromEntries(
        Object.keys(parameters.properties ?? {}).map((key) => [
          key,
          required.has(key) ? "x" : null,
        ]),
      );
      expect(bind(args)).toMatchObject({ needsApproval: false });
    },
  );
});
