import type { McpServerInput } from "@/contract/mcp-server";

/** A server as it is stored. */
export type McpServerRecord = { id: string; declaration: McpServerInput; updatedAt: Date };
