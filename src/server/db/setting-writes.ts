import { z } from "zod";
import { type AdvisorConfig, DEFAULT_ADVISOR_CONFIG } from "@/contract/advisor";
import type { Queryable } from "./database";
import { SETTING } from "./setting-reads";
import { readClock } from "./sql/clock-reads";

export const writeAdvisorConfig = async (db: Queryable, value: AdvisorConfig): Promise<void> => {
  const key = SETTING.advisor;
  await db.prisma.setting.upsert({
    where: { key },
    create: { key, value },
    update: { value, updatedAt: await readClock(db) },
  });
};

/** Turns the advisor on, unless an administrator has decided already. */
export const seedAdvisorConfig = async ({ prisma }: Queryable): Promise<void> => {
  const value: AdvisorConfig = { ...DEFAULT_ADVISOR_CONFIG, enabled: true };
  await prisma.setting.createMany({
    data: [{ key: SETTING.advisor, value }],
    skipDuplicates: true,
  });
};

/** Returns the id that identifies this database; the first call writes it. */
export const ensureDatabaseId = async (
  { prisma }: Queryable,
  newId: () => string,
): Promise<string> => {
  const key = SETTING.databaseId;
  await prisma.setting.createMany({ data: [{ key, value: newId() }], skipDuplicates: true });
  const { value } = await prisma.setting.findUniqueOrThrow({ where: { key } });
  return z.uuid().parse(value);
};
