import { listExistingChats } from "@/server/db/chats/chat-existence-reads";
import type { Database } from "@/server/db/connection/database";
import { createWorkspaces, type Workspaces } from "@/server/tools/workspace/workspaces";

type AppWorkspacesDeps = { db: Database; dataDir: string; maxMegabytes: number };

/** Creates the workspaces of the chats of a database. */
export const createAppWorkspaces = ({ db, dataDir, maxMegabytes }: AppWorkspacesDeps): Workspaces =>
  createWorkspaces({
    dataDir,
    maxMegabytes,
    chatExists: async (chatId) => (await listExistingChats(db, [chatId])).has(chatId),
  });
