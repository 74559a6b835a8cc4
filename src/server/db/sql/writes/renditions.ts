import type { Queryable, Statement } from "@/server/db/connection/database";
import type { RenditionKind } from "@/server/db/generated/client";

/** What models get of a file: an image made small, or the text of a document. */
export type Rendition = { kind: RenditionKind; mediaType: string; bytes: Uint8Array };

/** Raw, as Prisma copies bytes through base64. A file never changes, so the first one stays. */
const INSERT: Statement = {
  name: "insert-rendition",
  text: `INSERT INTO rendition (artifact_id, kind, media_type, bytes)
    SELECT id, $2::rendition_kind, $3, $4::bytea FROM artifact WHERE id = $1::uuid
    ON CONFLICT DO NOTHING`,
};

/** Stores a rendition of a file; does nothing if there is one, or no file any more. */
export const insertRendition = async (
  db: Queryable,
  artifactId: string,
  { kind, mediaType, bytes }: Rendition,
): Promise<void> => {
  await db.query(INSERT, [artifactId, kind, mediaType, bytes]);
};
