import { hasErrorCode } from "@/lib/has-error-code";

/** Codes of OpenSSL and Node.js for a certificate that is not trusted, or is not that of the host. */
const UNTRUSTED = [
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];
const WRONG_NAME = ["ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH"];
const WRONG_TIME = ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"];
/** What answers speaks another protocol. */
const NO_TLS = ["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"];
const NO_HTTP = ["HPE_INVALID_CONSTANT", "HPE_INVALID_VERSION"];
const NO_ADDRESS = ["ERR_INVALID_URL", "ERR_INVALID_PROTOCOL", "ERR_UNESCAPED_CHARACTERS"];

/** Each ends a sentence that begins with the host. A connection that fails so fails each time. */
const PROBLEMS: readonly { codes: readonly string[]; problem: string }[] = [
  {
    codes: UNTRUSTED,
    problem:
      "has a certificate that this server does not trust. If it is that of your own authority or proxy, add the authority to the system's store, or name its file in NODE_EXTRA_CA_CERTS, and restart Parley.",
  },
  { codes: WRONG_NAME, problem: "has a certificate for another host name. Check the address." },
  {
    codes: WRONG_TIME,
    problem: "has a certificate that is not valid at this time. Renew it, or check the clock.",
  },
  {
    codes: NO_TLS,
    problem: "does not speak https at this port. Does the address begin with http://?",
  },
  {
    codes: NO_HTTP,
    problem: "does not speak HTTP at this port. Does the address begin with https://?",
  },
  { codes: NO_ADDRESS, problem: "is no address that can be connected to." },
];

/** What Node.js and undici say of a proxy that opens no tunnel. */
const REFUSED_TUNNEL =
  /^(?:Proxy response \(|Failed to establish tunnel.*HTTP\/1\.\d )(?<status>\d{3})\b/s;
/** Of a proxy: the others mean that it cannot reach the host at the moment. */
const MAX_REFUSAL_STATUS = 499;

const explainTunnel = ({ message }: Error): string | undefined => {
  const status = REFUSED_TUNNEL.exec(message)?.groups?.status;
  return status === undefined || Number(status) > MAX_REFUSAL_STATUS
    ? undefined
    : `cannot be reached: the proxy of the network refuses it with status ${status}. Check HTTPS_PROXY and NO_PROXY.`;
};

const MAX_CAUSES = 5;

/** @returns why a connection can never work, as the end of a sentence, if that is so. */
export const explainUselessConnection = (error: unknown): string | undefined => {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    const found = PROBLEMS.find(({ codes }) => hasErrorCode(current, ...codes));
    const problem = found?.problem ?? explainTunnel(current);
    if (problem !== undefined) return problem;
    current = current.cause;
  }
  return undefined;
};
