import { expect, it } from "vitest";
import { explainUselessConnection } from "./useless-connection";

const wrap = (cause: Error): Error =>
  new Error("fetch failed", { cause: new Error("x", { cause }) });
const withCode = (code: string): Error => Object.assign(new Error("failed"), { code });

it.each([
  ["SELF_SIGNED_CERT_IN_CHAIN", "NODE_EXTRA_CA_CERTS"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "NODE_EXTRA_CA_CERTS"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "NODE_EXTRA_CA_CERTS"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "NODE_EXTRA_CA_CERTS"],
  ["CERT_HAS_EXPIRED", "not valid at this time"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "another host name"],
  ["EPROTO", "http://"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "http://"],
  ["HPE_INVALID_CONSTANT", "https://"],
  ["ERR_INVALID_URL", "no address"],
])("explains %s, however deep it is", (code, word) => {
  expect(explainUselessConnection(withCode(code))).toContain(word);
  expect(explainUselessConnection(wrap(withCode(code)))).toContain(word);
});

it.each([
  "Proxy response (407) !== 200 when HTTP Tunneling",
  "Failed to establish tunnel to a.test:443 via http://p.test: HTTP/1.1 407 Authentication",
])("explains a proxy that refuses: %s", (message) => {
  expect(explainUselessConnection(wrap(new Error(message)))).toMatch(/status 407.*HTTPS_PROXY/);
});

it.each([
  withCode("ECONNREFUSED"),
  withCode("ENOTFOUND"),
  withCode("ECONNRESET"),
  new Error("Proxy response (503) !== 200 when HTTP Tunneling"),
  "text",
])("says nothing of what may work later: %s", (error) => {
  expect(explainUselessConnection(error)).toBeUndefined();
});
