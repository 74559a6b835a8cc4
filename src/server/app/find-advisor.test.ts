import { v7 as newId } from "uuid";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import { createSettingCaches } from "@/server/db/settings/setting-caches";
import type { Database } from "@/server/db/connection/database";
import { advisorSetting } from "@/server/db/settings/setting-reads";
import { seedAdvisorConfig, writeStoredSetting } from "@/server/db/settings/setting-writes";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { testDatabase } from "@/test/database";
import { createUnreachableDatabase } from "@/test/database-doubles";
import { createModel } from "@/test/factories";
import { findAdvisor } from "./resolve-models";

let db: Database;
/** The chat's model in all tests. */
let ownId: string;

beforeAll(async () => {
  db = await testDatabase();
  ownId = await createModel(db);
});
afterEach(() => db.prisma.setting.deleteMany());

const find = async (
  config: Partial<AdvisorConfig> = {},
  chat: { parentChatId?: string; database?: Database } = {},
) => {
  await writeStoredSetting(db, advisorSetting, {
    ...DEFAULT_ADVISOR_CONFIG,
    enabled: true,
    ...config,
  });
  return read(chat);
};

const read = async ({
  parentChatId = null,
  database = db,
}: { parentChatId?: string | null; database?: Database } = {}) => {
  const warn = vi.fn<(fields: object, message: string) => void>();
  const advisor = await findAdvisor(
    { db: database, cached: createSettingCaches(database), models: createModelRegistry({}) },
    { parentChatId, modelId: ownId, advisorConfig: await advisorSetting.read(db) },
    { warn },
  );
  return {
    label: advisor?.model.label,
    advisor,
    warnings: warn.mock.calls.map(([, text]) => text),
  };
};

const FALLBACK = expect.stringContaining("falls back") as string;

describe("the advisor of a chat", () => {
  it("is none until an administrator turns it on", async () => {
    expect(await read()).toMatchObject({ label: undefined, warnings: [] });
  });

  it("is the chat’s own model, read anew for each turn", async () => {
    expect((await find({ max_uses_per_run: 5 })).advisor).toMatchObject({
      model: { label: `demo/test-${ownId}` },
      maxUses: 5,
    });
    expect((await find({ enabled: false })).advisor).toBeUndefined();
  });

  it("is the model of the settings", async () => {
    const otherId = await createModel(db);
    expect(await find({ model_id: otherId })).toMatchObject({
      label: `demo/test-${otherId}`,
      warnings: [],
    });
  });

  it("is the chat’s own model when that of the settings is disabled", async () => {
    const otherId = await createModel(db, { enabled: false });
    expect(await find({ model_id: otherId })).toMatchObject({
      label: `demo/test-${ownId}`,
      warnings: [FALLBACK],
    });
  });

  it("is the chat’s own model when that of the settings was deleted", async () => {
    const otherId = await createModel(db);
    await db.prisma.model.delete({ where: { id: otherId } });
    expect(await find({ model_id: otherId })).toMatchObject({
      label: `demo/test-${ownId}`,
      warnings: [FALLBACK],
    });
  });

  it("is the chat’s own model when that of the settings has no key", async () => {
    const otherId = newId();
    const model = `gpt-${otherId}`;
    await db.prisma.model.create({ data: { id: otherId, provider: "openai", model, name: model } });
    expect(await find({ model_id: otherId })).toMatchObject({
      label: `demo/test-${ownId}`,
      warnings: [FALLBACK],
    });
    await db.prisma.model.delete({ where: { id: otherId } });
  });

  it("is none in a child chat", async () => {
    expect((await find({}, { parentChatId: newId() })).advisor).toBeUndefined();
  });

  it("is none when stored settings make no sense", async () => {
    for (const value of [
      "on",
      { enabled: true },
      { ...DEFAULT_ADVISOR_CONFIG, max_output_tokens: -1 },
    ]) {
      await db.prisma.setting.deleteMany();
      await db.prisma.setting.create({ data: { key: "advisor", value } });
      expect((await read()).advisor).toBeUndefined();
    }
  });

  it("is none when the number of uses is negative", async () => {
    expect(await find({ max_uses_per_run: -2 })).toMatchObject({
      label: undefined,
      warnings: [expect.stringContaining("negative")],
    });
  });

  it("is none, and no failure, when the database is gone", async () => {
    const database = createUnreachableDatabase(db, "gone");
    const { advisor, warnings } = await find({}, { database });
    expect(advisor).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });
});

describe("the initial value", () => {
  it("turns the advisor on", async () => {
    await seedAdvisorConfig(db);
    expect((await read()).advisor).toBeDefined();
  });

  it("leaves what an administrator has decided", async () => {
    await writeStoredSetting(db, advisorSetting, DEFAULT_ADVISOR_CONFIG);
    await seedAdvisorConfig(db);
    expect((await read()).advisor).toBeUndefined();
  });
});
