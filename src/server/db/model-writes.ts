import { v7 as newId } from "uuid";
import type { ModelPrices, ProviderName } from "@/contract/model";
import type { Database, PrismaModels } from "./database";
import { Prisma } from "./generated/client";
import { lockTable } from "./sql/table-locks";

/** A model of the settings, with what is known of it. */
export type ModelSeed = {
  provider: ProviderName;
  model: string;
  /** The provider's id of the model when undefined. */
  name?: string | undefined;
  contextLimit?: number | null | undefined;
  prices?: ModelPrices | null | undefined;
};

/**
 * Offers the models of the settings. One that is there already keeps what an administrator made
 * of it, and the default stays while it is one of them; else it is the first.
 */
export const seedModels = async (db: Database, models: ModelSeed[]): Promise<void> => {
  const [first] = models;
  if (!first) return;
  await db.transaction(async (tx) => {
    // Processes that start together take turns.
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
