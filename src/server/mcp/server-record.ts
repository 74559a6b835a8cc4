import type { McpDeclaration } from "@/contract/mcp-server";

/** A server as it is stored. */
export type McpServerRecord = {
  id: string;
  declaration: McpDeclaration;
  /** Encrypted values of headers or variables, by their names. */
  encryptedSecrets: Readonly<Record<string, string>>;
  updatedAt: Date;
};
