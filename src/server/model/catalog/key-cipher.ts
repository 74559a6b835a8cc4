import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts the API keys of models, as the database and its backups are read by more people than the secret. */
export type KeyCipher = {
  /** @param modelId binds the result to the model, so that no other row can use it. */
  encrypt: (apiKey: string, modelId: string) => string;
  /** @returns undefined if another secret, or the key of another model, was encrypted. */
  decrypt: (text: string, modelId: string) => string | undefined;
};

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
/** The length that GCM is made for. */
const IV_BYTES = 12;
/** A shorter one is easier to forge, so it is refused. */
const TAG_BYTES = 16;
/** Part of the stored text, so that a later format can be recognized. */
const FORMAT = "v1";

/** @param secret the server's; its use here differs from all others by the label of the derivation. */
export const createKeyCipher = (secret: string): KeyCipher => {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "parley model keys", KEY_BYTES));

  return {
    encrypt: (apiKey, modelId) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(modelId));
      const encrypted = Buffer.concat([cipher.update(apiKey, "utf8"), cipher.final()]);
      const parts = [iv, encrypted, cipher.getAuthTag()];
      return [FORMAT, ...parts.map((part) => part.toString("base64"))].join(".");
    },

    decrypt: (text, modelId) => {
      const [format, ...parts] = text.split(".");
      const [iv, encrypted, tag] = parts.map((part) => Buffer.from(part, "base64"));
      if (format !== FORMAT || !iv || !encrypted || !tag) return undefined;
      try {
        const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(
          Buffer.from(modelId),
        );
        decipher.setAuthTag(tag);
        return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8");
      } catch {
        // GCM reports a wrong secret, another model and damaged bytes alike.
        return undefined;
      }
    },
  };
};
