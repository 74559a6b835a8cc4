import type { Statement, Transaction } from "@/server/db/connection/database";
import { notifySql } from "@/server/db/sql/rows/chat-row";

/** Every process reads the MCP servers again when this channel has a notification. */
export const MCP_SERVER_CHANNEL = "parley_mcp_server";

/** Raw, as Prisma has no notifications. */
const NOTIFY: Statement = {
  name: "notify-mcp-servers",
  text: `SELECT ${notifySql(MCP_SERVER_CHANNEL, "''")}`,
};

/** Reports a change of MCP servers when the transaction commits. */
export const publishMcpServerChange = async (tx: Transaction): Promise<void> => {
  await tx.query(NOTIFY, []);
};
