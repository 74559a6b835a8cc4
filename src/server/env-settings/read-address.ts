import { parseHost, parseList, parseNetwork, parseOrigin } from "./parse-values";
import type { SectionReader } from "./setting-reader";

/** Reads where the server is reached, and from where. @throws {Error} for an invalid setting. */
export const readAddress = (read: SectionReader) => ({
  port: read.int("PORT", {
    about: "Port of the server; 0 takes a free one.",
    fallback: 3000,
    min: 0,
    max: 65_535,
  }),
  hostname: read.textOr("127.0.0.1", {
    name: "HOSTNAME",
    about: "Address on which the server listens. `0.0.0.0` lets other machines reach it.",
  }),
  publicUrl: read.webUrl(
    "PARLEY_PUBLIC_URL",
    "The address that people use, when a proxy stands in front. With `https`, cookies are bound to it.",
  ),
  allowedHosts: parseList(
    read.text(
      "PARLEY_ALLOWED_HOSTS",
      "Further host names under which the server is reached, comma separated. The public URL's, `localhost` and IP addresses are always allowed.",
    ),
  ).map(parseHost),
  corsOrigins: parseList(
    read.text(
      "PARLEY_CORS_ORIGINS",
      "Origins (`https://app.example.com`) whose pages may use the REST API with an API key or a token, comma separated. Never with the cookie of a session.",
    ),
  ).map(parseOrigin),
  trustedProxies: parseList(
    read.text(
      "PARLEY_TRUSTED_PROXIES",
      "Addresses or networks (`10.0.0.0/8`) of reverse proxies, comma separated. Their `X-Forwarded-…` headers name the client; those of others are ignored.",
    ),
  ).map(parseNetwork),
});
