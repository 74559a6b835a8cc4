import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import type { McpServers } from "@/server/tools/mcp/mcp-servers";
import type { OfferedMcpTool } from "@/server/tools/mcp/offered-tools";
import type { ServerLink } from "@/server/tools/mcp/server-link";
import { createMcpLister } from "@/server/tools/mcp/list-mcp-tools";
import { createTools } from "@/server/tools/registry";
import { defineTool, type Tool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { createToolSources } from "@/server/tools/tool-source";
import { measureCpuMs, readCpuMs } from "@/test/cpu-time";
import { testDatabase } from "@/test/database";
import { emptyToolDeps, recordedDeps } from "@/test/tool-fixture";
import { finishPart, textParts } from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";
import { createTurnTools } from "./turn-tools";

beforeAll(() => testDatabase());

const RECIPES = 200;
const SERVERS = 5;
const TOOLS_OF_SERVER = 100;
/** What so many tools may add to a turn, without the request that names them. */
const MAX_SHARE = 0.05;
const TURNS = 30;

const recipe = (index: number): Tool => ({
  ...defineTool({
    ...{ name: `recipe_${index}`, description: "Runs a command." },
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
        ...{ name: `server${server}_tool_${index}`, description: "Does something." },
        ...{ parameters: { type: "object" }, isHarmless: true },
      }) as OfferedMcpTool,
  );
  return { record: { declaration: { approval: "never" } }, offered: () => ({ tools }) } as never;
};

/** @returns milliseconds of CPU time of a turn that answers with one text. One alone is shorter than the steps of the clock. */
const measureTurn = async (): Promise<number> => {
  let cpuMs = 0;
  for (let count = 0; count < TURNS; count++) {
    const turn = await createTurnFixture({ steps: [[...textParts("Hi there"), finishPart()]] });
    const claimed = await turn.claim();
    const before = process.threadCpuUsage();
    await turn.run({}, claimed);
    cpuMs += readCpuMs(before);
  }
  return cpuMs / TURNS;
};

it("hundreds of recipes and MCP tools add little to a turn", { timeout: 60_000 }, async () => {
  const { deps } = recordedDeps();
  const { step, saveArtifact } = deps;
  const builtin = Object.values(createTools(emptyToolDeps));
  const recipes = Array.from({ length: RECIPES }, (_, index) => recipe(index));
  const links = Array.from({ length: SERVERS }, (_, index) => link(index));
  const servers = { listLinks: () => Promise.resolve(links) } as unknown as McpServers;
  const mcpTools = createMcpLister(() => servers, { saveArtifact });
  const many = createToolSources(builtin, () => Promise.resolve(recipes), mcpTools);
  const few = createToolSources(builtin);
  const turn = await createTurnFixture({ steps: [] });
  const open = async (sources: typeof few, toolNames: string[] | null) => {
    const chat = { ...(await turn.chat()), toolNames };
    return () =>
      createTurnTools({
        ...{ sources, chat, advisor: undefined, groups: [], toolModes: {}, log: step.log },
      });
  };
  const openAll = await open(many, null);
  const { definitions } = (await openAll()).toolbox;
  expect(definitions.length).toBeGreaterThan(RECIPES + SERVERS * TOOLS_OF_SERVER);

  const turnMs = await measureTurn();
  const fewMs = await measureCpuMs(await open(few, null));
  const chosen = await open(many, ["current_time"]);
  for (const body of [openAll, chosen]) {
    const share = ((await measureCpuMs(body)) - fewMs) / turnMs;
    expect(share).toBeLessThanOrEqual(MAX_SHARE);
  }
});
