import { DomainError, isUnavailable } from "@/contract/domain-error";
import { findArtifact, readArtifactRange } from "@/server/db/chats/artifact-reads";
import { insertArtifact } from "@/server/db/chats/artifact-writes";
import type { Database } from "@/server/db/connection/database";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import { ToolFailure } from "@/server/tools/tool-result";

type Options = { db: Database; newId: () => string };

/** Creates access to the files of the chats that tools are called in. */
export const createArtifactDeps = ({
  db,
  newId,
}: Options): Pick<ArtifactDeps, "saveArtifact" | "openArtifact"> => ({
  saveArtifact: async ({ chatId, userId, toolCallId }, file) => {
    const artifact = { id: newId(), chatId, viewer: { userId }, toolCallId, ...file };
    try {
      const saved = await db.transaction((tx) => insertArtifact(tx, artifact));
      if (saved) return saved;
    } catch (error) {
      // The model can act on a limit, but not on a failure of the database.
      if (!(error instanceof DomainError) || isUnavailable(error)) throw error;
      throw new ToolFailure(error.message, { cause: error });
    }
    throw new ToolFailure("This chat was deleted.");
  },
  openArtifact: async ({ rootChatId, userId }, id) => {
    const found = await findArtifact(db, { id, rootChatId, viewer: { userId } });
    if (!found) return undefined;
    const { name, media_type, size } = found;
    const read = () => readArtifactRange(db, { id, start: 0, end: size - 1 });
    return { id, name, media_type, size, read };
  },
});
