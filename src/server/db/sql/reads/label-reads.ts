import type { Labels } from "@/contract/labels";
import { toJsonText } from "@/server/db/connection/nul";
import type { Queryable, Statement } from "@/server/db/connection/database";
import { allReadableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";

/** Most chats that a list names by their ids. */
const MAX_LABELED = 1_000;

/** Raw, as Prisma has no containment of objects, which the index of labels answers. */
const LABELED: Statement = {
  name: "find-labeled-chats",
  text: `SELECT id FROM chat WHERE ${allReadableSql("$1", "chat")} AND labels @> $2::jsonb LIMIT ${MAX_LABELED + 1}`,
};

/** Finds the viewer's chats that have all of these labels. @returns undefined if they are many. */
export const findLabeledChats = async (
  db: Queryable,
  { viewer, labels }: { viewer: Viewer; labels: Labels },
): Promise<string[] | undefined> => {
  const rows = await db.query<{ id: string }>(LABELED, [toViewerValue(viewer), toJsonText(labels)]);
  return rows.length > MAX_LABELED ? undefined : rows.map(({ id }) => id);
};
