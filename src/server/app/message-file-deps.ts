import { findRendition, readArtifactRange } from "@/server/db/chats/artifact-reads";
import type { Database } from "@/server/db/connection/database";
import { insertRendition } from "@/server/db/sql/writes/renditions";
import { readPdf } from "@/server/documents/read-document";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { type MessageFileDeps, toUploadPath } from "@/server/turn/prompt/message-files";

/** Creates what reads the files of messages, and puts them into the workspaces of their chats. */
export const createMessageFileDeps = ({
  db,
  openWorkspace,
}: WorkspaceDeps & { db: Database }): MessageFileDeps => ({
  readFile: (id, range) => readArtifactRange(db, { id, ...range }),
  readRendition: (id, kind) => findRendition(db, id, kind),
  saveRendition: (id, rendition) => insertRendition(db, id, rendition),
  placeFile: async (chat, file) => {
    const path = toUploadPath(file);
    const workspace = openWorkspace(chat);
    const isThere = await workspace.locate(path, () => Promise.resolve(true)).catch(() => false);
    if (isThere) return path;
    const { file_id: id, size } = file;
    const bytes = await readArtifactRange(db, { id, start: 0, end: size - 1 });
    await workspace.write(path, bytes, { overwrite: false });
    return path;
  },
  readPdf,
});
