import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate and its private key, both as PEM. */
export type Certificate = { name: string; cert: string; key: string; privateKey: KeyObject };

type CertificateOptions = {
  name: string;
  /** The hosts that it is for; without any it is that of an authority, which may issue others. */
  hosts?: readonly string[];
  /** By default it is signed by itself. */
  issuer?: Certificate;
  validUntil?: Date;
};

const encodeLength = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};

/** Encodes a value of ASN.1 by the rules of DER. */
const encode = (tag: number, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content]);
};

const sequence = (...contents: Buffer[]): Buffer => encode(0x30, ...contents);
const oid = (hex: string): Buffer => encode(0x06, Buffer.from(hex, "hex"));
const TRUE = encode(0x01, Buffer.from([0xff]));
const bitString = (content: Buffer): Buffer => encode(0x03, Buffer.from([0]), content);

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const BASIC_CONSTRAINTS = oid("551d13");
const ALTERNATIVE_NAMES = oid("551d11");
const KEY_IDENTIFIER = oid("551d0e");

const encodeName = (name: string): Buffer =>
  sequence(encode(0x31, sequence(COMMON_NAME, encode(0x0c, Buffer.from(name)))));

const encodeTime = (time: Date): Buffer =>
  encode(0x18, Buffer.from(`${time.toISOString().replace(/\D/g, "").slice(0, 14)}Z`));

/** An address of version 4, or the name of a host. */
const encodeHost = (host: string): Buffer =>
  /^[\d.]+$/.test(host)
    ? encode(0x87, Buffer.from(host.split(".").map(Number)))
    : encode(0x82, Buffer.from(host));

const encodeExtensions = (hosts: readonly string[], publicKey: Buffer): Buffer => {
  const isAuthority = hosts.length === 0;
  const identifier = encode(0x04, createHash("sha1").update(publicKey).digest());
  return encode(
    0xa3,
    sequence(
      sequence(BASIC_CONSTRAINTS, TRUE, encode(0x04, sequence(...(isAuthority ? [TRUE] : [])))),
      sequence(KEY_IDENTIFIER, encode(0x04, identifier)),
      ...(isAuthority
        ? []
        : [sequence(ALTERNATIVE_NAMES, encode(0x04, sequence(...hosts.map(encodeHost))))]),
    ),
  );
};

const toPem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replaceAll(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`;

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** Creates a certificate of X.509, which Node.js itself can only read. */
export const createCertificate = (options: CertificateOptions): Certificate => {
  const { name, hosts = [], issuer } = options;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const validUntil = options.validUntil ?? new Date(Date.now() + YEAR_MS);
  const keyInfo = publicKey.export({ type: "spki", format: "der" });
  const body = sequence(
    encode(0xa0, encode(0x02, Buffer.from([2]))),
    // Begins with a bit that is not set, as it is not negative.
    encode(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    encodeName(issuer?.name ?? name),
    sequence(encodeTime(new Date(validUntil.getTime() - 2 * YEAR_MS)), encodeTime(validUntil)),
    encodeName(name),
    keyInfo,
    encodeExtensions(hosts, keyInfo),
  );
  const signature = sign("sha256", body, issuer?.privateKey ?? privateKey);
  return {
    name,
    cert: toPem(sequence(body, ECDSA_WITH_SHA256, bitString(signature))),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    privateKey,
  };
};
