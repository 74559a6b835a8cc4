import { v7 as newId } from "uuid";
import type { ModelPrices, ProviderName, ToolProtocol } from "@/contract/model";
import type { Database, PrismaModels, Transaction } from "@/server/db/connection/database";
import { Prisma } from "@/server/db/generated/client";
import type { ModelRow } from "@/server/db/chats/rows";
import { changeDeclared } from "./change-declared";

/** A model of the environment, with its known properties. */
export type ModelSeed = {
  provider: ProviderName;
  model: string;
  /** The provider's id of the model when undefined. */
  name?: string | undefined;
  contextLimit?: number | null | undefined;
  prices?: ModelPrices | null | undefined;
  /** Native when undefined. */
  toolProtocol?: ToolProtocol | undefined;
};

/** What administrators choose of a model. */
export type ModelFields = Omit<
  ModelRow,
  "id" | "position" | "fromEnvironment" | "isDefault" | "defaultChosen"
>;

/** Adds a model after all others. */
export const insertModel = async (
  { prisma }: Transaction,
  model: ModelFields & { id: string },
): Promise<void> => {
  const { _max } = await prisma.model.aggregate({ _max: { position: true } });
  const position = (_max.position ?? -1) + 1;
  await prisma.model.create({ data: { ...toData(model), position } });
};

export const updateModelFields = async (
  { prisma }: Transaction,
  { id, ...fields }: ModelFields & { id: string },
): Promise<void> => {
  await prisma.model.update({ where: { id }, data: toData(fields) });
};

/** Makes a model that an administrator has chosen the only default one. */
export const setDefaultModel = ({ prisma }: Transaction, id: string): Promise<void> =>
  replaceDefault(prisma, id, { isChosen: true });

const replaceDefault = async (
  prisma: PrismaModels,
  id: string,
  { isChosen: defaultChosen }: { isChosen: boolean },
): Promise<void> => {
  await prisma.model.updateMany({
    where: { isDefault: true },
    data: { isDefault: false, defaultChosen: false },
  });
  await prisma.model.update({ where: { id }, data: { isDefault: true, defaultChosen } });
};

export const deleteModelRow = async ({ prisma }: Transaction, id: string): Promise<void> => {
  await prisma.model.delete({ where: { id } });
};

const toData = <Fields extends Pick<ModelRow, "prices">>({ prices, ...fields }: Fields) => ({
  ...fields,
  prices: prices ?? Prisma.DbNull,
});

/**
 * Adds the models that the environment names, and marks them. Existing models keep the changes of
 * administrators. The default model is the first of them that is enabled, until an administrator has chosen one; a chosen
 * one that the environment has named and no longer does is chosen no more.
 */
export const seedModels = async (db: Database, models: ModelSeed[]): Promise<void> => {
  if (models.length === 0) return;
  await changeDeclared(db, "models", async (tx) => {
    await insertMissing(tx.prisma, models);
    const named = { OR: models.map(({ provider, model }) => ({ provider, model })) };
    await tx.prisma.model.updateMany({
      where: { fromEnvironment: true, NOT: named },
      data: { fromEnvironment: false, isDefault: false, defaultChosen: false },
    });
    await tx.prisma.model.updateMany({ where: named, data: { fromEnvironment: true } });
    if ((await tx.prisma.model.count({ where: { defaultChosen: true } })) > 0) return;
    const rows = await tx.prisma.model.findMany({ where: { fromEnvironment: true } });
    const inOrder = models.flatMap(({ provider, model }) =>
      rows.filter((row) => row.provider === provider && row.model === model),
    );
    const first = inOrder.find(({ enabled }) => enabled) ?? inOrder[0];
    if (first && !first.isDefault) await replaceDefault(tx.prisma, first.id, { isChosen: false });
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
    data: missing.map(({ provider, model, name = model, contextLimit, prices, ...row }, index) => ({
      id: newId(),
      provider,
      model,
      name,
      position: next + index,
      toolProtocol: row.toolProtocol ?? "native",
      contextLimit: contextLimit ?? null,
      prices: prices ?? Prisma.DbNull,
    })),
  });
};
