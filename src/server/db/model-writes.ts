import { v7 as newId } from "uuid";
import type { ModelPrices, ProviderName } from "@/contract/model";
import type { Database, PrismaModels } from "./database";
import { Prisma } from "./generated/client";
import { lockTable } from "./sql/table-locks";

/** A model of the settings, with its known properties. */
export type ModelSeed = {
  provider: ProviderName;
  model: string;
  /** The provider's id of the model when undefined. */
  name?: string | undefined;
  contextLimit?: number | null | undefined;
  prices?: ModelPrices | null | undefined;
};

/**
 * Adds the models of the settings. Existing models keep the changes of administrators. The default
 * model stays while it is one of them; otherwise it is the first.
 */
export const seedModels = async (db: Database, models: ModelSeed[]): Promise<void> => {
  const [first] = models;
  if (!first) return;
  await db.transaction(async (tx) => {
    // Serializes processes that start at the same time.
    await lockTable(tx, "model");
    await insertMissing(tx.prisma, models);
    const names = models.map(({ provider, model }) => ({ provider, model }));
    await tx.prisma.model.updateMany({
      where: { isDefault: true, NOT: { OR: names } },
      data: { isDefault: false },
    });
    if ((await tx.prisma.model.count({ where: { isDefault: true } })) > 0) return;
    const { provider, model } = first;
    await tx.prisma.model.updateMany({ where: { provider, model }, data: { isDefault: true } });
  });
};

const insertMissing = async (prisma: PrismaModels, models: ModelSeed[]): Promise<void> => {
  const known = await prisma.model.findMany({
    select: { provider: true, model: true, position: true },
  });
  const next = Math.max(-1, ...known.map(({ position }) => position)) + 1;
  const missing = models.filter(
    ({ provider, model }) => !known.some((one) => one.provider === provider && one.model === model),
  );
  await prisma.model.createMany({
    data: missing.map(({ provider, model, name = model, contextLimit, prices }, index) => ({
      ...{ id: newId(), provider, model, name, position: next + index },
      contextLimit: contextLimit ?? null,
      prices: prices ?? Prisma.DbNull,
    })),
  });
};
