import type { Statement, Transaction } from "@/server/db/connection/database";

/** Raw, as Prisma has no locks. Writers take turns; readers are not held up. */
const LOCK = {
  mcpServer: {
    name: "lock-mcp-servers",
    text: "LOCK TABLE mcp_server IN SHARE ROW EXCLUSIVE MODE",
  },
  model: { name: "lock-models", text: "LOCK TABLE model IN SHARE ROW EXCLUSIVE MODE" },
  recipe: { name: "lock-recipes", text: "LOCK TABLE recipe IN SHARE ROW EXCLUSIVE MODE" },
  setting: { name: "lock-settings", text: "LOCK TABLE setting IN SHARE ROW EXCLUSIVE MODE" },
  startingText: {
    name: "lock-starting-texts",
    text: "LOCK TABLE starting_text IN SHARE ROW EXCLUSIVE MODE",
  },
  toolset: { name: "lock-toolsets", text: "LOCK TABLE toolset IN SHARE ROW EXCLUSIVE MODE" },
  user: { name: "lock-users", text: `LOCK TABLE "user" IN SHARE ROW EXCLUSIVE MODE` },
} satisfies Record<string, Statement>;

/** Locks a table until the transaction ends, so that what was read of it cannot become outdated. */
export const lockTable = async (tx: Transaction, table: keyof typeof LOCK): Promise<void> => {
  await tx.query(LOCK[table], []);
};
