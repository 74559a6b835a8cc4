import type { Queryable } from "@/server/db/connection/database";

const PREFIX = "api_key:";

/**
 * Reads the names of API keys.
 *
 * @param actors users' ids, and keys as `api_key:<id>`.
 * @returns the names by actor; without those of users, and of keys that are gone.
 */
export const listKeyNames = async (
  { prisma }: Queryable,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = actors.flatMap((actor) =>
    actor.startsWith(PREFIX) ? [actor.slice(PREFIX.length)] : [],
  );
  if (ids.length === 0) return new Map();
  const keys = await prisma.apiKey.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  });
  return new Map(keys.map(({ id, name }) => [`${PREFIX}${id}`, name]));
};
