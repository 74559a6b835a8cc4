import type { JSONSchema7Definition } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { builtinTools, CALL_IDENTITY, recordedDeps, toolScope } from "@/test/tool-fixture";
import { type Tool, defineTool } from "./tool";
import { toolResult } from "./tool-result";
import type { ToolScope } from "./tool-context";
import { type ToolSource, createToolSources } from "./tool-source";
import { createToolbox } from "./toolbox";

const tool = (name: string, traits: Partial<Tool> = {}): Tool => ({
  ...defineTool({
    name,
    description: `Does ${name}`,
    input: z.object({}),
    run: () => Promise.resolve(toolResult("done")),
  }),
  ...traits,
});

/** A source of a kind that comes from outside, which may take its time to list its tools. */
const external = (kind: "recipe" | "mcp", ...names: string[]): ToolSource => ({
  kind,
  reservedNames: [],
  listTools: () => Promise.resolve(names.map((name) => tool(name, { kind }))),
});

type Offer = { builtin?: readonly Tool[]; external?: ToolSource[]; scope?: Partial<ToolScope> };

const open = async ({ builtin = [], external: sources = [], scope }: Offer) => {
  const { deps, logged } = recordedDeps();
  const [first, ...others] = createToolSources(builtin);
  if (!first) throw new Error("there are no sources");
  const toolbox = await createToolbox(
    [first, ...sources, ...others],
    toolScope({ log: deps.step.log, ...scope }),
  );
  return { toolbox, names: toolbox.definitions.map(({ name }) => name), logged };
};

describe("the order of definitions", () => {
  it("is built-in ones by name, then each source's own order, dynamic ones as declared", async () => {
    const { names } = await open({
      builtin: [tool("write"), tool("advise")],
      external: [external("recipe", "b_recipe", "a_recipe"), external("mcp", "z_mcp")],
      scope: { dynamicTools: [{ name: "zebra" }, { name: "ant" }] },
    });
    expect(names).toEqual(["advise", "write", "b_recipe", "a_recipe", "z_mcp", "zebra", "ant"]);
  });

  it("does not depend on the order of the registry", async () => {
    const scope = { dynamicTools: [{ name: "zebra" }] };
    const forwards = await open({ builtin: builtinTools, scope });
    const backwards = await open({ builtin: builtinTools.toReversed(), scope });
    expect(backwards.toolbox.definitions).toEqual(forwards.toolbox.definitions);
  });
});

describe("dynamic tools that an administrator has turned off", () => {
  it("are withheld with the reason, but for those of a group", async () => {
    const dynamicTools = [{ name: "own" }, { name: "grouped", group: "crm" }];
    const scope = { dynamicTools, toolModes: { "*": "off" } as const };
    const { names, toolbox } = await open({ builtin: [tool("write")], scope });
    expect(names).toEqual(["write", "grouped"]);
    expect(toolbox.withheld.get("own")).toContain("turned off the tools that programs declare");
    expect((await open({ scope: { dynamicTools } })).names).toEqual(["own", "grouped"]);
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
  ])("%s is omitted with a warning, the others are offered", async (_what, name, owner) => {
    const { toolbox, names, logged } = await open({
      builtin: [tool("read")],
      external: [external("recipe", "deploy"), external("mcp", "docs_search")],
      scope: {
        dynamicTools: [{ name: "ask" }, { name, description: "the second" }, { name: "tell" }],
      },
    });
    expect(names).toEqual(["read", "deploy", "docs_search", "ask", "tell"]);
    expect(toolbox.warnings).toEqual([expect.stringContaining(`"${name}"`)]);
    expect(toolbox.warnings[0]).toContain(owner);
    expect(logged).toHaveLength(1);
    for (const one of ["ask", "tell"]) expect(toolbox.offered.get(one)?.kind).toBe("dynamic");
  });

  it("does not replace the other one", async () => {
    const scope = { dynamicTools: [{ name: "read" }] };
    const { toolbox } = await open({ builtin: [tool("read")], scope });
    expect(toolbox.offered.get("read")?.kind).toBe("builtin");
  });

  it.each<[string, Partial<Tool>, Partial<ToolScope>]>([
    ["a child chat", { rootOnly: true }, { isRoot: false }],
    ["a turn without the advisor that it needs", { needsAdvisor: true }, { hasAdvisor: false }],
    ["a server that cannot run it", { unavailable: "There is no sandbox." }, {}],
  ])("is omitted also while a built-in tool is not offered to %s", async (_what, traits, scope) => {
    const { toolbox, names } = await open({
      builtin: [tool("spawn", traits)],
      scope: { ...scope, dynamicTools: [{ name: "spawn" }] },
    });
    expect(names).toEqual([]);
    expect(toolbox.warnings).toEqual([
      'The tool "spawn" is not offered: the name belongs to a built-in tool.',
    ]);
  });
});

describe("a child chat", () => {
  const builtin = [tool("spawn", { rootOnly: true, exclusive: true }), tool("read")];

  it("is not offered what only root chats may do", async () => {
    const { toolbox, names } = await open({ builtin, scope: { isRoot: false } });
    expect(names).toEqual(["read"]);
    expect(toolbox.offered.get("spawn")).toBeUndefined();
    expect(toolbox.exclusive.size).toBe(0);
  });

  it("has a root chat that is offered it", async () => {
    const { toolbox, names } = await open({ builtin });
    expect(names).toEqual(["read", "spawn"]);
    expect([...toolbox.exclusive]).toEqual(["spawn"]);
  });
});

it("a toolbox has no tools under the names of a prototype", async () => {
  const { toolbox } = await open({});
  expect(toolbox.offered.get("constructor")).toBeUndefined();
  expect(toolbox.offered.get("__proto__")).toBeUndefined();
});

/** @returns a value that fits a schema, with null for all that is optional; texts of a list differ. */
const createArgs = (schema: JSONSchema7Definition | undefined, text = "x"): unknown => {
  if (typeof schema !== "object") return text;
  const { type, enum: choices, items, minItems, minimum, properties = {}, required = [] } = schema;
  if (choices) return choices[0];
  if (type === "integer" || type === "number") return minimum ?? 1;
  if (type === "boolean") return true;
  if (type === "array") {
    const item = Array.isArray(items) ? items[0] : items;
    return Array.from({ length: minItems ?? 0 }, (_, at) => createArgs(item, `${text}${at}`));
  }
  if (type !== "object") return text;
  const entries = Object.entries(properties).map(([key, property]) => [
    key,
    required.includes(key) ? createArgs(property, text) : null,
  ]);
  return Object.fromEntries(entries) as unknown;
};

describe("the registry", () => {
  it.each(builtinTools.map((each) => [each.name, each] as const))(
    "offers %s with a description and an object schema",
    (_name, { description, parameters }) => {
      expect(description.length).toBeGreaterThan(20);
      expect(parameters).toMatchObject({ type: "object", additionalProperties: false });
      expect(parameters).not.toHaveProperty("$schema");
    },
  );

  it.each(builtinTools.map((each) => [each.name, each] as const))(
    "accepts null for every optional argument of %s, as strict modes send it",
    async (_name, { parameters, bind }) => {
      const bound = bind(createArgs(parameters), CALL_IDENTITY);
      if (Array.isArray(bound)) throw new Error(JSON.stringify(bound));
      expect(await bound.needsApproval(toolScope())).toBe(false);
    },
  );
});

describe("what an approval for the whole chat covers", () => {
  const declaration = {
    name: "run",
    description: "Runs a command",
    input: z.object({ command: z.string(), note: z.string().optional() }),
    run: () => Promise.resolve(toolResult("done")),
  };
  const getScope = ({ bind }: Tool) => {
    const bound = bind({ command: "ls", note: "to see the files", extra: 1 }, CALL_IDENTITY);
    if (Array.isArray(bound)) throw new Error(JSON.stringify(bound));
    return bound.approvalScope();
  };

  it("is every call of the tool, unless the tool declares a scope", () => {
    expect(getScope(defineTool(declaration))).toBeNull();
  });

  it("is what the tool takes of the checked input", () => {
    const tool = defineTool({ ...declaration, approvalScope: ({ command }) => ({ command }) });
    expect(getScope(tool)).toEqual({ command: "ls" });
  });
});

describe("a toolbox of the next turn", () => {
  const openTwice = async (
    traits: Partial<Tool>,
    scopes: [Partial<ToolScope>, Partial<ToolScope>],
  ) => {
    const sources = createToolSources([tool("read"), tool("write", traits)]);
    return Promise.all(scopes.map((scope) => createToolbox(sources, toolScope(scope))));
  };

  it("is the same one if nothing has changed", async () => {
    const [first, second] = await openTwice({}, [
      { toolNames: new Set(["read"]), toolModes: { read: "ask" } },
      { toolNames: new Set(["read"]), toolModes: { read: "ask" } },
    ]);
    expect(first?.definitions.map(({ name }) => name)).toEqual(["read"]);
    expect(second).toBe(first);
  });

  it("knows what the chat has chosen, what is off, and what asks", async () => {
    const all = { toolNames: null, toolModes: {} };
    for (const [scope, names, asks] of [
      [{ toolNames: new Set(["write"]) }, ["write"], []],
      [{ toolModes: { write: "off" } }, ["read"], []],
      [{ toolModes: { write: "ask" } }, ["read", "write"], ["write"]],
      [{ dynamicTools: [{ name: "own" }] }, ["read", "write", "own"], []],
    ] as const) {
      const [, toolbox] = await openTwice({}, [all, scope]);
      expect(toolbox?.definitions.map(({ name }) => name)).toEqual(names);
      expect([...(toolbox?.asksFirst ?? [])]).toEqual(asks);
    }
  });

  it("knows what a turn cannot use any more", async () => {
    const sources = createToolSources([tool("read", { needsAdvisor: true })]);
    const before = await createToolbox(sources, toolScope({ hasAdvisor: true }));
    const after = await createToolbox(sources, toolScope({ hasAdvisor: false }));
    expect([before, after].map(({ withheld }) => withheld.get("read"))).toEqual([
      undefined,
      expect.stringContaining("The advisor is off"),
    ]);
  });
});
