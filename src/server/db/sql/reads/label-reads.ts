import type { Labels } from "@/contract/labels";
import { toJsonText } from "@/server/db/connection/nul";
import type { Database, Statement } from "@/server/db/connection/database";
import { readableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";

/** Most chats that a list names by their ids. */
const MAX_LABELED = 1_000;

/** An index of what is in JSON is read by a bitmap only, which the settings of the planner turn off. */
const ALLOW_BITMAPS: Statement = {
  name: "allow-bitmap-scans",
  text: "SELECT set_config('enable_bitmapscan', 'on', true)",
};

/**
 * Raw, as Prisma has no containment of objects. The condition of the viewer cannot use the index of owners, by which the
 * planner would read all chats of the owner.
 */
const LABELED: Statement = {
  name: "find-labeled-chats",
  text: `SELECT id FROM chat WHERE ${readableSql("$1", "chat")} AND labels @> $2::jsonb LIMIT ${MAX_LABELED + 1}`,
};

/** Finds the viewer's chats that have all of these labels. @returns undefined if they are many. */
export const findLabeledChats = async (
  db: Database,
  { viewer, labels }: { viewer: Viewer; labels: Labels },
): Promise<string[] | undefined> => {
  const rows = await db.transaction(async (tx) => {
    await tx.query(ALLOW_BITMAPS, []);
    return tx.query<{ id: string }>(LABELED, [toViewerValue(viewer), toJsonText(labels)]);
  });
  return rows.length > MAX_LABELED ? undefined : rows.map(({ id }) => id);
};
