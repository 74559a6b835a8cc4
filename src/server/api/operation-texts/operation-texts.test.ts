import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Operation } from "@/server/api/operation";
import { downloads, operations, streams, uploads } from "@/server/api/operations/all-operations";
import { getOpenapiDocument } from "@/server/api/openapi";
import type { Database } from "@/server/db/connection/database";
import { log } from "@/server/log";
import { createMcpLister } from "@/server/mcp/tools/mcp-lister";
import type { McpServers } from "@/server/mcp/mcp-servers";
import { createToolSources } from "@/server/tools/tool-source";
import { createClient, createTestApi, type TestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { createTestServers, runEverything } from "@/test/mcp-fixture";
import { createPreparer } from "@/test/prepare-operation";
import { serveApi } from "@/test/serve-api";
import { createAccount, PASSWORD, signIn } from "@/test/session-client";
import { testProcess } from "@/test/test-process";
import { builtinTools, recordedDeps } from "@/test/tool-fixture";
import { OPERATION_TEXTS } from "./all-operation-texts";

type Described = {
  description: string;
  requestBody?: { content: Record<string, { examples?: object }> };
  responses: Record<string, unknown>;
};
type Document = { paths: Record<string, Record<string, Described>> };

const { paths } = JSON.parse(getOpenapiDocument()) as Document;
const all = [...operations, ...uploads, ...downloads, ...streams];

describe.each(all.map((operation) => [operation.name, operation] as const))(
  "the text of %s",
  (name, operation) => {
    const { path, method } = operation;
    const described = paths[path]?.[method.toLowerCase()];
    const { refusals = [], repetition, examples, ...text } = OPERATION_TEXTS[name] ?? { about: "" };

    it("has a few lines, with full sentences", () => {
      const lines = described?.description.split("\n\n") ?? [];
      expect(lines.length).toBeGreaterThanOrEqual(3);
      expect(lines.length).toBeLessThanOrEqual(10);
      for (const line of [text.about, text.limits, repetition, ...refusals]) {
        if (line !== undefined) expect(line).toMatch(/^[A-Z\x60].*\.$/s);
      }
    });

    it("names only statuses that its answers have", () => {
      for (const refusal of refusals) {
        const statuses = [...refusal.matchAll(/\x60(\d{3})\x60/g)].map(([, status = ""]) => status);
        expect(statuses.length, refusal).toBeGreaterThan(0);
        for (const status of statuses) expect(described?.responses, refusal).toHaveProperty(status);
      }
    });

    it("says what a repetition does if no key is taken for it", () => {
      const isWithoutKey = "ignoresIdempotencyKey" in operation && method === "POST";
      if (isWithoutKey) expect(repetition).toBeDefined();
    });

    it("has two examples if the operation takes JSON, which the operation takes", () => {
      const json = described?.requestBody?.content["application/json"];
      expect(examples !== undefined).toBe(json !== undefined);
      if (!examples) return;
      expect(json?.examples).toMatchObject({ minimal: {}, full: {} });
      const { input } = operations.find((one) => one.name === name) as Operation;
      const params = Object.fromEntries((path.match(/\w+(?=\})/g) ?? []).map((of) => [of, "x"]));
      for (const example of Object.values(examples)) {
        const { error } = input.safeParse({ ...params, ...example });
        expect(error?.issues).toBeUndefined();
      }
    });
  },
);

describe("an example is accepted by a new server:", () => {
  let db: Database;
  let test: TestApi;
  let owner: TestClient;
  let servers: McpServers;
  let served: Awaited<ReturnType<typeof serveApi>>;
  beforeAll(async () => {
    vi.spyOn(log(), "error");
    db = await testDatabase();
    servers = createTestServers(testProcess(db).cached.mcpServers.get).servers;
    const { saveArtifact } = recordedDeps().deps;
    const lister = createMcpLister(servers, { saveArtifact });
    const sources = createToolSources(builtinTools, { mcp: lister });
    test = createTestApi(db, sources, { mcp: servers });
    owner = await createClient(db, test, { role: "owner" });
    served = await serveApi(test);
  });
  const reset = async (): Promise<void> => {
    await db.prisma.mcpServer.deleteMany();
    await db.prisma.recipe.deleteMany();
    await db.prisma.toolset.deleteMany();
    await db.prisma.setting.deleteMany();
    await db.prisma.model.deleteMany({ where: { model: { in: ["example", "qwen3"] } } });
    for (const cache of Object.values(testProcess(db).cached)) cache.forget();
  };
  afterAll(async () => {
    await served.close();
    await servers.stop();
    await reset();
  });

  const require = async (route: string, sent: object): Promise<{ id: string }> => {
    const { status, body } = await owner.call(route, sent);
    if (status !== 201) throw new Error(`${route} gave ${status}`);
    return body as { id: string };
  };
  /** What of the server the path of an operation names. */
  const NAMED: Record<string, (example: object) => Promise<Record<string, string>>> = {
    "tools.setMode": () => Promise.resolve({ name: "current_time" }),
    "toolsets.put": () => Promise.resolve({ name: "ops" }),
    "recipes.update": async () => ({ name: await createRecipe() }),
    "recipes.run": async () => ({ name: await createRecipe() }),
    "models.update": async () => ({ model_id: (await createExample("models.create")).id }),
    "mcpServers.update": async () => ({ server_id: (await createExample("mcpServers.create")).id }),
    "mcpCommands.run": async (example) => {
      const every = { name: "every", transport: runEverything() };
      await require("POST /config/mcp-servers", every);
      const list = () => owner.call("GET /config/mcp-servers").then(({ body }) => body);
      await expect.poll(list).toMatchObject({ data: [{ state: "connected" }] });
      const prompt = "arguments" in example ? "args-prompt" : "simple-prompt";
      return { name: encodeURIComponent(`every:${prompt}`) };
    },
  };
  const createExample = async (name: string): Promise<{ id: string }> => {
    const { method, path } = operations.find((one) => one.name === name) as Operation;
    return require(`${method} ${path}`, OPERATION_TEXTS[name]?.examples?.minimal ?? {});
  };
  const createRecipe = async (): Promise<string> => {
    await createExample("recipes.create");
    return "uptime";
  };

  /** The headers of who may use an operation. */
  const toCredential = async ({ scope }: Operation): Promise<Record<string, string>> => {
    if (scope !== "session") return { authorization: `Bearer ${owner.key}` };
    const { cookie } = await signIn(test, await createAccount(db));
    return { cookie, origin: served.url };
  };

  const cases = operations.flatMap((operation: Operation) => {
    const { examples } = OPERATION_TEXTS[operation.name] ?? {};
    return Object.entries(examples ?? {}).map(
      ([kind, example]: [string, object]) =>
        [`${operation.name} ${kind}`, operation, example] as const,
    );
  });

  it.each(cases)("%s", async (name, operation, example) => {
    await reset();
    const named = (await NAMED[operation.name]?.(example)) ?? {};
    const { route, body } = await createPreparer(db, owner)(operation, example);
    const [, path = ""] = route.split(" ");
    const target = path.replaceAll(/\{(\w+)\}/g, (_, of: string) => named[of] ?? "");
    const sent = operation.name === "account.changePassword" ? { current_password: PASSWORD } : {};
    // With a key, an operation is part of a transaction, and may read nothing outside of it.
    const takesKey = operation.method === "POST" && !operation.ignoresIdempotencyKey;
    const response = await fetch(`${served.url}/api/v1${target}`, {
      method: operation.method,
      headers: {
        "content-type": "application/json",
        ...(takesKey && { "idempotency-key": name.replace(" ", "-") }),
        ...(await toCredential(operation)),
      },
      body: JSON.stringify({ ...body, ...sent }),
    });
    const text = await response.text();
    const expected = Object.keys(operation.answers?.schemas ?? { [operation.status]: 1 });
    expect(expected, `${name} gave ${response.status} ${text}`).toContain(String(response.status));
    expect(test.faults).toEqual([]);
    expect(log().error).not.toHaveBeenCalled();
  });
});
