import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** What a browser gives to be sent messages that only it can read, base64url. */
export type BrowserKeys = { p256dh: string; auth: string };

export type EncryptionRandoms = { salt: Buffer; privateKey?: Buffer };

const CURVE = "prime256v1";
const SALT_BYTES = 16;
/** Push services take 4096 bytes with the header; one record is all of it. */
const RECORD_BYTES = 4_096;
/** Header, delimiter and tag of the one record. */
const OVERHEAD_BYTES = SALT_BYTES + 4 + 1 + 65 + 1 + 16;
/** Longest text that can be sent, in bytes. */
export const MAX_PAYLOAD_BYTES = RECORD_BYTES - OVERHEAD_BYTES;
/** Ends the last record. */
const LAST_RECORD = Buffer.from([2]);

/**
 * Encrypts a text for one browser, as RFC 8291 and RFC 8188 (`aes128gcm`) say.
 *
 * @param randoms those of the RFC in its test.
 * @throws {Error} when the key of the browser is no point of the curve.
 */
export const encryptPayload = (
  text: string,
  { p256dh, auth }: BrowserKeys,
  { salt, privateKey }: EncryptionRandoms = { salt: randomBytes(SALT_BYTES) },
): Buffer => {
  const browserKey = Buffer.from(p256dh, "base64url");
  const own = createECDH(CURVE);
  if (privateKey) own.setPrivateKey(privateKey);
  else own.generateKeys();
  const ownKey = own.getPublicKey();
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browserKey, ownKey]);
  const secret = derive(
    { secret: own.computeSecret(browserKey), salt: Buffer.from(auth, "base64url"), info },
    32,
  );
  const key = derive({ secret, salt, info: "Content-Encoding: aes128gcm\0" }, 16);
  const nonce = derive({ secret, salt, info: "Content-Encoding: nonce\0" }, 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const recordSize = Buffer.alloc(4);
  recordSize.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([
    salt,
    recordSize,
    Buffer.from([ownKey.length]),
    ownKey,
    cipher.update(Buffer.from(text)),
    cipher.update(LAST_RECORD),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
};

/** Whether a key of a browser can be used: it is a point of the curve. */
export const isPublicKey = (p256dh: string): boolean => {
  try {
    const own = createECDH(CURVE);
    own.generateKeys();
    own.computeSecret(Buffer.from(p256dh, "base64url"));
    return true;
  } catch {
    return false;
  }
};

const derive = (
  { secret, salt, info }: { secret: Buffer; salt: Buffer; info: Buffer | string },
  bytes: number,
): Buffer => Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
