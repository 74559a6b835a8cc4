import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import * as z from "zod";
import type { Database } from "@/server/db/connection/database";
import { ensurePushKeys } from "@/server/db/push/push-subscription-writes";
import type { KeyCipher } from "@/server/model/catalog/key-cipher";

/** The keys by which push services know this server (VAPID, RFC 8292). */
export type ServerKeys = {
  /** A point of P-256, base64url. */
  publicKey: string;
  /** @returns the `authorization` header for a request to the address. */
  authorize: (endpoint: URL, now: Date) => string;
};

const StoredKeys = z.object({ public_key: z.string(), encrypted_key: z.string() });

/** What the encrypted key is bound to, in place of a model's id. */
const CIPHER_LABEL = "push";
/** Services refuse more than a day. */
const TOKEN_SECONDS = 12 * 60 * 60;

type KeyDeps = {
  db: Database;
  cipher: KeyCipher;
  /** Where the service finds the operator: a URL or an address with `mailto:`. */
  contact: string;
};

/** Reads the keys of this server; the first call, and one after a change of the server's secret, makes them. */
export const readServerKeys = ({ db, cipher, contact }: KeyDeps): Promise<ServerKeys> => {
  const toKeys = (publicKey: string, secret: string): ServerKeys => {
    const key = createPrivateKey({ key: toJwk(publicKey, secret), format: "jwk" });
    return {
      publicKey,
      authorize: ({ origin }, now) => {
        const claims = {
          aud: origin,
          exp: Math.floor(now.getTime() / 1_000) + TOKEN_SECONDS,
          sub: contact,
        };
        const signed = `${encodeJson({ typ: "JWT", alg: "ES256" })}.${encodeJson(claims)}`;
        const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
        return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKey}`;
      },
    };
  };
  return ensurePushKeys<ServerKeys>(
    db,
    (stored) => {
      const { data } = StoredKeys.safeParse(stored);
      const secret = data && cipher.decrypt(data.encrypted_key, CIPHER_LABEL);
      return secret === undefined ? undefined : toKeys(data?.public_key ?? "", secret);
    },
    () => {
      const { publicKey, secret } = createKeyPair();
      const stored = {
        public_key: publicKey,
        encrypted_key: cipher.encrypt(secret, CIPHER_LABEL),
      } satisfies z.infer<typeof StoredKeys>;
      return { keys: toKeys(publicKey, secret), stored };
    },
  );
};

const createKeyPair = (): { publicKey: string; secret: string } => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "", d = "" } = privateKey.export({ format: "jwk" });
  const point = [Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return { publicKey: Buffer.concat(point).toString("base64url"), secret: d };
};

const toJwk = (publicKey: string, secret: string) => {
  const point = Buffer.from(publicKey, "base64url");
  return {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
    d: secret,
  };
};

const encodeJson = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");
