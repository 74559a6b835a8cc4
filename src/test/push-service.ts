import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { PushPayload } from "@/contract/push";

/** The keys of a browser, which decrypts what it is sent as RFC 8291 says. */
export const createTestBrowser = () => {
  const own = createECDH("prime256v1");
  const publicKey = own.generateKeys();
  const auth = randomBytes(16);
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
  return {
    keys: { p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") },
    decrypt: (body: Buffer): PushPayload => {
      const [salt, rest] = [body.subarray(0, 16), body.subarray(21)];
      const [serverKey, sealed] = [rest.subarray(0, body[20]), rest.subarray(body[20])];
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, serverKey]);
      const secret = derive(own.computeSecret(serverKey), auth, info, 32);
      const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
      const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce);
      decipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      if (plain.at(-1) !== 2) throw new Error("the record is not marked as the last one");
      return JSON.parse(plain.subarray(0, -1).toString()) as PushPayload;
    },
  };
};

export type PushRequest = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Starts a push service that records what it is sent. */
export const startPushService = async (
  answer: (response: ServerResponse, request: PushRequest) => void = (response) =>
    response.writeHead(201).end(),
) => {
  const requests: PushRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { url: path = "", headers } = incoming;
      const request = { path, headers, body: Buffer.concat(chunks) };
      requests.push(request);
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the service has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Checks the `authorization` of a request as a push service does (RFC 8292). @returns its claims and key. */
export const readAuthorization = (header = "") => {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(header) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const key = createPublicKey({
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
    format: "jwk",
  });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const decode = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  return { isSigned, publicKey, head: decode(head), claims: decode(claims) };
};
