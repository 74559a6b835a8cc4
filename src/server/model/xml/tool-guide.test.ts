import path from "node:path";
import { Validator } from "@cfworker/json-schema";
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/contract/json";
import { createRecipeFiles } from "@/server/recipes/files/recipe-files";
import { createRecipeTool } from "@/server/recipes/recipe-tool";
import { currentTimeTool } from "@/server/tools/current-time";
import type { Tool } from "@/server/tools/tool";
import { createToolSources } from "@/server/tools/tool-source";
import { createToolbox } from "@/server/tools/toolbox";
import {
  builtinTools,
  CALL_IDENTITY,
  NO_COMMANDS_FOR_RECIPES,
  toolScope,
} from "@/test/tool-fixture";
import { createAnswerReader } from "./answer-reader";
import { createToolGuide, MAX_XML_CALLS, writeExample } from "./tool-guide";
import { createShapeFinder } from "./xml-prompt";

const OFFERED = { unavailable: undefined, needsAdvisor: false };
const offer = (tools: readonly Tool[]): Tool[] => tools.map((tool) => ({ ...tool, ...OFFERED }));

const BUILTIN = offer(builtinTools);

const loadRecipes = async (): Promise<Tool[]> => {
  const files = await createRecipeFiles(path.resolve("recipes")).list();
  return offer(
    files.flatMap((file) =>
      "loaded" in file ? [createRecipeTool(file.loaded, NO_COMMANDS_FOR_RECIPES)] : [],
    ),
  );
};

/** A tool as servers describe theirs, at length and without an example. */
const createForeignTool = (index: number): Tool => ({
  ...currentTimeTool,
  kind: "mcp",
  name: `tracker_list_issues_${index}`,
  description: `Lists issues of a repository and ${"their many details, ".repeat(20)}. And more.`,
  example: undefined,
  parameters: {
    type: "object",
    properties: {
      repository: { type: "string", description: "Its name. ".repeat(30) },
      state: { enum: ["open", "closed"] },
      limit: { type: "integer", minimum: 5 },
    },
    required: ["repository", "limit"],
  },
});

const define = async (tools: readonly Tool[]): Promise<LanguageModelV4FunctionTool[]> => {
  const isRecipe = ({ kind }: Tool): boolean => kind === "recipe";
  const sources = createToolSources(
    tools.filter(({ kind }) => kind === "builtin"),
    {
      recipe: () => tools.filter(isRecipe),
      mcp: () => tools.filter(({ kind }) => kind === "mcp"),
    },
  );
  return (await createToolbox(sources, toolScope())).definitions;
};

/** Reads the calls of a text, as those of an answer. */
const readCalls = (text: string, tools: LanguageModelV4FunctionTool[]): [string, JsonObject][] => {
  const found: [string, JsonObject][] = [];
  const reader = createAnswerReader(
    { findShape: createShapeFinder(tools), word: "" },
    {
      text: () => undefined,
      startBlock: () => undefined,
      endBlock: ({ calls, fault }) => {
        if (fault) throw new Error(`${fault.found} in ${fault.xml}`);
        found.push(
          ...calls.map(({ toolName, args = {} }) => [toolName, args] as [string, JsonObject]),
        );
      },
    },
  );
  reader.push(text);
  reader.end();
  return found;
};

/** Examples of a guide: blocks of tools with details, lines of the others. */
const EXAMPLES = /^<tools>\n {2}<tool [^]*?<\/tools>$|^<tool [^]*?<\/tool>$/gm;

const readExamples = (guide: string, tools: LanguageModelV4FunctionTool[]) =>
  Array.from(guide.matchAll(EXAMPLES), ([xml]) =>
    readCalls(`\`\`\`xml\n${xml}\n\`\`\``, tools),
  ).flat();

describe("the example of a built-in tool", () => {
  it.each(BUILTIN.map((tool) => [tool.name, tool] as const))("is valid: %s", async (name, tool) => {
    const [definition] = await define([tool]);
    if (!definition) throw new Error("the tool is not offered");
    const [call, ...others] = readCalls(writeExample(definition, ""), [definition]);
    expect([call?.[0], others]).toEqual([name, []]);
    const schema = tool.parameters as ConstructorParameters<typeof Validator>[0];
    expect(new Validator(schema, "7").validate(call?.[1]).errors).toEqual([]);
    expect(tool.bind(call?.[1], CALL_IDENTITY)).not.toBeInstanceOf(Array);
  });

  it("of exec is a command", async () => {
    const tools = await define(BUILTIN);
    const exec = tools.find(({ name }) => name === "exec");
    if (!exec) throw new Error("exec is not offered");
    expect(readCalls(writeExample(exec, ""), tools)).toEqual([
      ["exec", { action: "run", command: "ls -l" }],
    ]);
  });
});

it("a recipe is taught by its own example", async () => {
  const tools = await define(await loadRecipes());
  const [, example] = readExamples(createToolGuide(tools, ""), tools).find(
    ([name]) => name === "code_runner",
  ) ?? ["", {}];
  expect(example).toEqual({ language: "python", code: "print('Hello World')" });
});

describe("the guide", () => {
  const count = 33;

  it(`of ${count} tools has at most 6,000 characters, and an example of each that works`, async () => {
    const others = [...BUILTIN, ...(await loadRecipes())];
    const foreign = Array.from({ length: count - others.length }, (_, at) => createForeignTool(at));
    const all = [...others, ...foreign];
    const tools = await define(all);
    expect(tools).toHaveLength(count);
    const guide = createToolGuide(tools, "");
    expect(guide.length).toBeLessThanOrEqual(6_000);
    const examples = new Map(readExamples(guide, tools));
    expect([...examples.keys()].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
    for (const tool of others) {
      expect(tool.bind(examples.get(tool.name), CALL_IDENTITY), tool.name).not.toBeInstanceOf(
        Array,
      );
    }
  });

  it("names the other parameters of a tool, and their choices", async () => {
    const guide = createToolGuide(await define([...BUILTIN, createForeignTool(1)]), "");
    expect(guide).toContain(
      "Runs a command in this chat's workspace and shows its output. Also: action (run|list|poll|read|write|send_keys|kill), pty,",
    );
    expect(guide).toContain('Also: state (open|closed).\n<tool name="tracker_list_issues_1">');
  });

  it("describes few tools in full", async () => {
    const tools = await define(BUILTIN.slice(0, 3));
    const guide = createToolGuide(tools, "");
    for (const { name, description = "", inputSchema } of tools) {
      expect(guide).toContain(`## ${name}\n${description}\n`);
      expect(guide).toContain(JSON.stringify(inputSchema));
    }
    expect(guide).toContain(`at most ${MAX_XML_CALLS}`);
  });
});
