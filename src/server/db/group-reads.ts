import { type Group, type GroupsConfig, GroupsInput } from "@/contract/group";
import type { Database, Queryable } from "./database";
import { perDatabase } from "./per-database";
import { SETTING } from "./setting-reads";
import { GROUP_CHANNEL } from "./sql/group-notices";

/** The groups that administrators have declared; an invalid value counts as none. */
export const readGroupsConfig = async ({ prisma }: Queryable): Promise<GroupsConfig> => {
  const row = await prisma.setting.findUnique({ where: { key: SETTING.groups } });
  const { groups = [], version = 0 } = GroupsInput.safeParse(row?.value).data ?? {};
  return { groups, version };
};

export const readGroups = async (db: Queryable): Promise<readonly Group[]> =>
  (await readGroupsConfig(db)).groups;

/** How late a change is seen when its notification was lost. */
const CACHE_MS = 5_000;

type GroupCache = {
  current?: { groups: Promise<readonly Group[]>; expiresAt: number };
  /** The last list that was read. */
  known: readonly Group[];
};

const groupCache = perDatabase("group-cache", (): GroupCache => ({ known: [] }));

/** Drops the cached groups of this process at each change, in any process. */
export const watchGroups = async (db: Database): Promise<void> => {
  await db.listen(GROUP_CHANNEL, () => delete groupCache(db).current);
};

/** Reads the groups from a cache, for every turn. Does not reject: without the database, they are the last ones. */
export const recentGroups = (db: Database): Promise<readonly Group[]> => {
  const cache = groupCache(db);
  const now = performance.now();
  if (cache.current && cache.current.expiresAt > now) return cache.current.groups;
  const groups = readGroups(db).then(
    (list) => (cache.known = list),
    () => cache.known,
  );
  cache.current = { groups, expiresAt: now + CACHE_MS };
  return groups;
};

/** Drops the cached groups after a change by this process, whose notification comes later. */
export const forgetGroups = (db: Database): void => void delete groupCache(db).current;
