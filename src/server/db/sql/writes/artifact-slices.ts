import type { Statement, Transaction } from "@/server/db/connection/database";

/** Bytes of each row but the last of a file, in the stored data too. */
export const SLICE_BYTES = 256 * 1024;

/** Raw, as Prisma copies bytes through base64: a file of 12 MB took 60 MB more of memory. */
const INSERT: Statement = {
  name: "insert-artifact-slice",
  text: "INSERT INTO artifact_slice (artifact_id, position, bytes) VALUES ($1::uuid, $2::int, $3::bytea)",
};

/** Stores a piece of a file's content; the first one has the position 0. */
export const insertArtifactSlice = async (
  tx: Transaction,
  { artifactId, position, bytes }: { artifactId: string; position: number; bytes: Uint8Array },
): Promise<void> => {
  await tx.query(INSERT, [artifactId, position, bytes]);
};
