import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { callModel } from "@/server/model/call-model";
import type { ChatModel } from "@/server/model/model-step";
import type { McpServers } from "@/server/mcp/mcp-servers";
import type { OfferedMcpTool } from "@/server/mcp/tools/offered-tools";
import type { ServerLink } from "@/server/mcp/server-link";
import { createMcpLister } from "@/server/mcp/tools/mcp-lister";
import { createTools } from "@/server/app/tool-registry";
import { defineTool, type Tool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { createToolSources, type ToolSource } from "@/server/tools/tool-source";
import { measureMedian, readCpuMs } from "@/test/cpu-time";
import { createTestContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { startProviderThread } from "@/test/provider-thread";
import { emptyToolDeps, recordedDeps } from "@/test/tool-fixture";
import { createTurnFixture } from "@/test/turn-fixture";
import { createTurnTools } from "./turn-tools";

beforeAll(() => testDatabase());

const RECIPES = 200;
const SERVERS = 5;
const TOOLS_OF_SERVER = 100;
/** What so many tools may add to a turn, with the request that names them. */
const MAX_SHARE = 0.05;
const ROUNDS = 9;
/** Turns and steps are measured by turns, and added up: what else the machine does slows all of them down alike. */
const PIECES = 10;
/** In a piece, as the clock has steps of up to 4 ms. */
const TURNS = 2;
const STEPS = 5;
const WARM_UP_PIECES = 20;
/** What few tools a chat has chosen of all. */
const CHOSEN = ["current_time"];

const doNothing = (): void => undefined;

const recipe = (index: number): Tool => ({
  ...defineTool({
    name: `recipe_${index}`,
    description: "Runs a command.",
    input: z.object({ id: z.string() }),
    run: () => Promise.resolve(toolResult("done")),
  }),
  kind: "recipe",
});
const link = (server: number): ServerLink => {
  const tools = Array.from(
    { length: TOOLS_OF_SERVER },
    (_, index) =>
      ({
        name: `server${server}_tool_${index}`,
        description: `Reads and changes the records of department ${index}, and lists what has changed since a day.`,
        parameters: {
          type: "object",
          properties: {
            id: { type: "string", description: "The id of the record" },
            fields: { type: "array", items: { type: "string" } },
            limit: { type: "integer", minimum: 1, maximum: 100 },
          },
          required: ["id"],
        },
        isHarmless: true,
        isReadOnly: true,
      }) as Partial<OfferedMcpTool> as OfferedMcpTool,
  );
  return { record: { declaration: { approval: "never" } }, offered: () => ({ tools }) } as never;
};

/** The sources of a server without recipes and MCP servers, and of one with many. */
const createSources = () => {
  const { deps } = recordedDeps();
  const builtin = Object.values(createTools(emptyToolDeps));
  const recipes = Array.from({ length: RECIPES }, (_, index) => recipe(index));
  const links = Array.from({ length: SERVERS }, (_, index) => link(index));
  const servers = { listLinks: () => Promise.resolve(links) } as unknown as McpServers;
  const mcpTools = createMcpLister(servers, { saveArtifact: deps.saveArtifact });
  return {
    few: createToolSources(builtin),
    many: createToolSources(builtin, { recipe: () => recipes, mcp: mcpTools }),
    log: deps.step.log,
  };
};

/**
 * Says how many tools it has got, and to a message of a turn 200 words more. It parses nothing: this would take the caches
 * of the processor from the thread that is measured.
 */
const REPLY = `(body, send) => {
  send({ content: body.split('"type":"function"').length - 1 + " tools" });
  const isTurn = body.includes("hello");
  for (let word = 0; isTurn && word < 200; word++) send({ content: " word" });
  send({}, "stop");
}`;

/** Runs a body so many times. @returns milliseconds of CPU time of this thread. */
const measure = async (body: () => Promise<unknown>, times: number): Promise<number> => {
  const before = process.threadCpuUsage();
  for (let count = 0; count < times; count++) await body();
  return readCpuMs(before);
};

/** Creates a function that runs a turn from its message to its end. */
const createTurn = async (model: ChatModel) => {
  const ctx = await createTestContext(await testDatabase());
  return async () => {
    const turn = await createTurnFixture({ ctx, steps: [] });
    await turn.run({ resolveModel: () => Promise.resolve(model) });
  };
};

it("hundreds of recipes and MCP tools add little to a turn", async () => {
  const { few, many, log } = createSources();
  const model = (await startProviderThread(REPLY))("native");
  const chat = await (await createTurnFixture({ steps: [] })).chat();
  const sink = { start: doNothing, append: doNothing, end: doNothing };
  const prompt = [
    { role: "user" as const, content: [{ type: "text" as const, text: "how many?" }] },
  ];

  /** What of a turn depends on its tools: finding them, and sending them with a request. */
  const createStep = (sources: readonly ToolSource[], toolNames: string[] | null) => async () => {
    const { toolbox } = await createTurnTools({
      sources,
      log,
      advisor: undefined,
      groups: [],
      toolModes: {},
      chat: { ...chat, toolNames },
    });
    const tools = toolbox.definitions;
    const signal = new AbortController().signal;
    const request = { prompt, tools, mustAnswer: true };
    const outcome = await callModel(model, request, { sink, signal, now: () => new Date() });
    expect(outcome).toMatchObject({ parts: [{ text: `${tools.length} tools` }] });
    return tools.length;
  };
  const withAll = createStep(many, null);
  expect(await withAll()).toBeGreaterThan(RECIPES + SERVERS * TOOLS_OF_SERVER);
  const pairs = {
    all: [createStep(few, null), withAll],
    chosen: [createStep(few, CHOSEN), createStep(many, CHOSEN)],
  } as const;

  const runTurn = await createTurn(model);
  const measureShare = async (kind: keyof typeof pairs, pieces: number): Promise<number> => {
    const [withFew, withMany] = pairs[kind];
    let [turnMs, addedMs] = [0, 0];
    for (let piece = 0; piece < pieces; piece++) {
      turnMs += await measure(runTurn, TURNS);
      const fewMs = await measure(withFew, STEPS);
      addedMs += (await measure(withMany, STEPS)) - fewMs;
    }
    return addedMs / STEPS / (turnMs / TURNS);
  };
  for (const kind of ["all", "chosen"] as const) {
    await measureShare(kind, WARM_UP_PIECES);
    const measureRound = () => measureShare(kind, PIECES);
    const share = await measureMedian(`tools (${kind}), share of a turn`, measureRound, ROUNDS);
    expect(share).toBeLessThanOrEqual(MAX_SHARE);
  }
});
