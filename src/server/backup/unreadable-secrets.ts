import * as z from "zod";
import type { RawSession } from "@/server/db/backup/raw-session";
import { bindSecret } from "@/server/mcp/server-secrets";
import { createKeyCipher } from "@/server/model/catalog/key-cipher";

const McpSecrets = z.object({
  encrypted_secrets: z.record(z.string(), z.string()).default({}),
});

/** What a database has that a secret cannot decrypt, by the names of what it belongs to. */
export type UnreadableSecrets = { models: string[]; mcpServers: string[] };

/** @param secret undefined when the server will make a new one. */
export const listUnreadable = async (
  session: RawSession,
  secret: string | undefined,
): Promise<UnreadableSecrets> => {
  const cipher = secret === undefined ? undefined : createKeyCipher(secret);
  const isUnreadable = (text: string, boundTo: string): boolean =>
    cipher?.decrypt(text, boundTo) === undefined;
  const models = (await session.query(
    "SELECT id, provider || '/' || model, encrypted_key FROM model WHERE encrypted_key IS NOT NULL ORDER BY 2",
  )) as [string, string, string][];
  const servers = (await session.query(
    "SELECT id, name, declaration::text FROM mcp_server ORDER BY name",
  )) as [string, string, string][];
  return {
    models: models.filter(([id, , text]) => isUnreadable(text, id)).map(([, name]) => name),
    mcpServers: servers.flatMap(([id, server, declaration]) => {
      const { data } = McpSecrets.safeParse(JSON.parse(declaration));
      return Object.entries(data?.encrypted_secrets ?? {})
        .filter(([name, text]) => isUnreadable(text, bindSecret(id, name)))
        .map(([name]) => `${server} (${name})`);
    }),
  };
};
