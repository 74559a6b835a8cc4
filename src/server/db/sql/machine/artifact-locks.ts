import type { Statement, Transaction } from "@/server/db/connection/database";
import { ownedBy, type Viewer } from "@/server/db/chats/viewer";

/** Raw, as Prisma has no locks. */
const LOCK: Statement = {
  name: "lock-artifacts",
  text: "SELECT pg_advisory_xact_lock(hashtextextended('artifacts of ' || $1, 0))",
};

/** Lets the writers of a viewer's artifacts take turns until the transaction ends, so that sums stay true. */
export const lockArtifacts = async (tx: Transaction, viewer: Viewer): Promise<void> => {
  await tx.query(LOCK, [ownedBy(viewer).ownerId]);
};
