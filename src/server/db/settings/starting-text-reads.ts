import type { Queryable } from "@/server/db/connection/database";

/** A text that a user begins chats with. */
export type StartingTextRow = { id: string; text: string; createdAt: Date };

/** The starting texts of a user, oldest first. */
export const listStartingTexts = (
  { prisma }: Queryable,
  userId: string,
): Promise<StartingTextRow[]> =>
  prisma.startingText.findMany({ where: { userId }, orderBy: { id: "asc" } });
