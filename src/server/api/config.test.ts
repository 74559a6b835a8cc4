import { v7 as newId } from "uuid";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  DEFAULT_ADVISOR_CONFIG,
  MAX_ADVISOR_OUTPUT_TOKENS,
  MAX_ADVISOR_USES,
} from "@/contract/advisor";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, ORIGIN, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";
import { createModel } from "@/test/factories";

const PATH = "/config/advisor";

let db: Database;
let api: ReturnType<typeof createTestApi>;
let owner: TestClient;
let member: TestClient;

beforeAll(async () => {
  db = await testDatabase();
  api = createTestApi(db);
  owner = await createClient(db, api, { role: "owner" });
  member = await createClient(db, api);
});
afterEach(() => db.prisma.setting.deleteMany());

const config = (changes: object = {}) => ({ ...DEFAULT_ADVISOR_CONFIG, ...changes });
const put = (changes: object = {}) => owner.call(`PUT ${PATH}`, config(changes));
const stored = async () => (await owner.call(`GET ${PATH}`)).body;

describe("advisor settings over REST", () => {
  it("are disabled by default", async () => {
    expect(await stored()).toEqual(DEFAULT_ADVISOR_CONFIG);
  });

  it("are stored as they were sent", async () => {
    const modelId = await createModel(db);
    const changes = {
      enabled: true,
      max_uses_per_run: 7,
      max_output_tokens: 500,
      model_id: modelId,
    };
    expect(await put(changes)).toMatchObject({ status: 200, body: config(changes) });
    expect(await stored()).toEqual(config(changes));
    expect(await put({ model_id: null })).toMatchObject({ status: 200 });
    expect(await stored()).toEqual(config());
  });

  it.each([
    [{ max_uses_per_run: 0 }],
    [{ max_uses_per_run: -1 }],
    [{ max_uses_per_run: MAX_ADVISOR_USES }],
    [{ max_output_tokens: 0 }],
    [{ max_output_tokens: MAX_ADVISOR_OUTPUT_TOKENS }],
  ])("accept %j", async (changes) => {
    expect((await put(changes)).status).toBe(200);
    expect(await stored()).toEqual(config(changes));
  });

  it.each([
    [{ max_output_tokens: -1 }, "/max_output_tokens"],
    [{ max_output_tokens: MAX_ADVISOR_OUTPUT_TOKENS + 1 }, "/max_output_tokens"],
    [{ max_output_tokens: 1e308 }, "/max_output_tokens"],
    [{ max_output_tokens: 1.5 }, "/max_output_tokens"],
    [{ max_uses_per_run: MAX_ADVISOR_USES + 1 }, "/max_uses_per_run"],
    [{ max_uses_per_run: "3" }, "/max_uses_per_run"],
    [{ max_uses_per_run: 0.5 }, "/max_uses_per_run"],
    [{ enabled: 1 }, "/enabled"],
    [{ model_id: "gpt-5" }, "/model_id"],
    [{ model_id: newId() }, "/model_id"],
  ])("reject %j", async (changes, pointer) => {
    const refused = await owner.fail(`PUT ${PATH}`, config(changes));
    expect(refused.status).toBe(400);
    const pointers = new Set(refused.problem.errors?.map((error) => error.pointer));
    expect([...pointers]).toEqual([pointer]);
    expect(await stored()).toEqual(DEFAULT_ADVISOR_CONFIG);
  });

  it("require all fields", async () => {
    const refused = await owner.fail(`PUT ${PATH}`, { enabled: true });
    expect(refused.status).toBe(400);
  });

  it("accept a disabled model", async () => {
    const disabled = await createModel(db, { enabled: false });
    expect((await put({ model_id: disabled })).status).toBe(200);
  });

  it("are accessible to administrators only", async () => {
    const read = await member.fail(`GET ${PATH}`);
    const written = await member.fail(`PUT ${PATH}`, config({ enabled: true }));
    expect([read.status, written.status]).toEqual([403, 403]);
    expect(read.problem.code).toBe("forbidden");
    expect(await stored()).toEqual(DEFAULT_ADVISOR_CONFIG);
  });

  it("require authentication", async () => {
    const response = await api.api.handleRest(new Request(`${ORIGIN}/api/v1${PATH}`));
    expect(response.status).toBe(401);
  });
});

describe("advisor settings over tRPC", () => {
  const procedure = async (client: TestClient, name: string, input?: object) => {
    const response = await api.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/${name}${input ? "" : "?input=%7B%7D"}`, {
        method: input ? "POST" : "GET",
        headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
        ...(input && { body: JSON.stringify(input) }),
      }),
    );
    const body = (await response.json()) as { result?: { data: unknown } };
    return { status: response.status, data: body.result?.data };
  };

  it("are the same as over REST", async () => {
    const changed = config({ enabled: true, max_uses_per_run: 1 });
    expect(await procedure(owner, "config.setAdvisor", changed)).toEqual({
      status: 200,
      data: changed,
    });
    expect(await procedure(owner, "config.getAdvisor")).toEqual({ status: 200, data: changed });
    expect(await stored()).toEqual(changed);
  });

  it("are rejected for the same reasons as over REST", async () => {
    const bad = config({ max_output_tokens: -1 });
    expect((await procedure(owner, "config.setAdvisor", bad)).status).toBe(400);
    expect((await procedure(member, "config.setAdvisor", config())).status).toBe(403);
    expect((await procedure(member, "config.getAdvisor")).status).toBe(403);
  });
});
