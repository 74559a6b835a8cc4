import { addSecret } from "@/server/mask-secrets";
import type { McpServerRecord } from "./server-record";

/** @returns undefined if another secret, or a value of something else, was encrypted. */
export type DecryptSecret = (text: string, boundTo: string) => string | undefined;

/** What the value of a server is bound to, so that no other one can use it. */
export const bindSecret = (serverId: string, name: string): string => `${serverId}/${name}`;

/**
 * Decrypts the secrets of a server, which results of tools do not show from then on.
 *
 * @throws {Error} a sentence, for one that cannot be read.
 */
export const readSecrets = (
  { id, encryptedSecrets }: Pick<McpServerRecord, "id" | "encryptedSecrets">,
  decrypt: DecryptSecret,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(encryptedSecrets).map(([name, text]) => {
      const value = decrypt(text, bindSecret(id, name));
      if (value === undefined) {
        throw new Error(
          `The secret ${name} cannot be read, because the secret of this server was changed: enter it again.`,
        );
      }
      addSecret(value);
      return [name, value];
    }),
  );
