import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/test/database";
import { v7 as newId } from "uuid";
import type { Database } from "@/server/db/connection/database";
import { findDefaultModel, findModel, listModels } from "./model-reads";
import { type ModelSeed, seedModels, setDefaultModel } from "./model-writes";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});
// Other tests share the table, and may have chosen one.
beforeEach(async () => {
  await db.prisma.model.updateMany({ data: { isDefault: false, defaultChosen: false } });
});

/** Models with names of their own, as other tests share the table. */
const seeds = (...letters: string[]): ModelSeed[] => {
  const test = newId();
  return letters.map((letter) => ({ provider: "demo", model: `${test}-${letter}` }));
};

const seeded = async (models: ModelSeed[]) =>
  (await listModels(db)).filter(({ model }) => models.some((seed) => seed.model === model));

describe("seedModels", () => {
  it("offers the models in their order, the first one as the default", async () => {
    const [first, second] = seeds("z", "a");
    if (!first || !second) throw new Error("two seeds were made");
    const known: ModelSeed = {
      ...second,
      name: "Second",
      contextLimit: 9,
      prices: { input: 1, output: 2 },
      toolProtocol: "xml",
    };
    await seedModels(db, [first, known]);
    const rows = await seeded([first, second]);
    expect(rows).toMatchObject([
      {
        ...first,
        name: first.model,
        contextLimit: null,
        prices: null,
        toolProtocol: "native",
        enabled: true,
        isDefault: true,
      },
      { ...known, enabled: true, isDefault: false },
    ]);
    expect(findDefaultModel(await listModels(db))).toEqual(rows[0]);
    expect(await findModel(db, rows[1]?.id ?? "")).toEqual(rows[1]);
    expect(await findModel(db, newId())).toBeUndefined();
    expect(await findModel(db, "nonsense")).toBeUndefined();
  });

  it("makes the first one the default at each start, until an administrator has chosen one", async () => {
    const models = seeds("a", "b", "c");
    const listDefaults = async () => (await seeded(models)).map(({ isDefault }) => isDefault);
    await seedModels(db, models);
    expect(await listDefaults()).toEqual([true, false, false]);
    await seedModels(db, [...models].reverse());
    expect(await listDefaults()).toEqual([false, false, true]);
    const [, second] = await seeded(models);
    await db.transaction((tx) => setDefaultModel(tx, second?.id ?? ""));
    await seedModels(db, models);
    expect(await listDefaults()).toEqual([false, true, false]);
    await seedModels(db, seeds("other"));
    await seedModels(db, models);
    expect(await listDefaults()).toEqual([true, false, false]);
  });

  it("passes over a first one that an administrator has disabled", async () => {
    const models = seeds("a", "b");
    await seedModels(db, models);
    const [first] = await seeded(models);
    await db.prisma.model.update({ where: { id: first?.id ?? "" }, data: { enabled: false } });
    await seedModels(db, models);
    expect((await seeded(models)).map(({ isDefault }) => isDefault)).toEqual([false, true]);
  });

  it("changes nothing at the next start, and adds what is new", async () => {
    const models = seeds("a", "b");
    await seedModels(db, models);
    const before = await seeded(models);
    await seedModels(db, models);
    expect(await seeded(models)).toEqual(before);
    const more = seeds("c");
    await seedModels(db, [...models, ...more]);
    expect(await seeded(models)).toEqual(before);
    expect(await seeded(more)).toMatchObject([{ isDefault: false }]);
  });

  it("moves the default when the settings no longer name it", async () => {
    const old = seeds("old");
    await seedModels(db, old);
    const models = seeds("new", "other");
    await seedModels(db, models);
    expect(await seeded([...old, ...models])).toMatchObject([
      { isDefault: false, enabled: true },
      { isDefault: true },
      { isDefault: false },
    ]);
  });

  it("offers each once when processes start together", async () => {
    const models = seeds("a", "b", "c");
    await Promise.all(Array.from({ length: 8 }, () => seedModels(db, models)));
    const rows = await seeded(models);
    expect(rows.map(({ model }) => model)).toEqual(models.map(({ model }) => model));
    expect(rows.map(({ isDefault }) => isDefault)).toEqual([true, false, false]);
  });

  it("passes over a default that is disabled", async () => {
    const models = seeds("a", "b");
    await seedModels(db, models);
    const [first] = await seeded(models);
    await db.prisma.model.update({ where: { id: first?.id ?? "" }, data: { enabled: false } });
    const found = findDefaultModel(await listModels(db));
    expect(found).toMatchObject({ enabled: true, isDefault: false });
  });
});
