import { describe, expect, it } from "vitest";
import { parseServerAddress } from "./server-address.mjs";

const parse = (text: string) => parseServerAddress(text, "DATABASE_URL");
const PASSWORD = "Geheim-7RwZ";

describe("parseServerAddress", () => {
  it("reads all parts", () => {
    expect(parse("postgresql://me:secret@db.example.org:6432/parley?sslmode=require")).toEqual({
      user: "me",
      password: "secret",
      host: "db.example.org",
      port: 6432,
      database: "parley",
      parameters: { sslmode: "require" },
    });
  });

  it("leaves out what the address does", () => {
    expect(parse("postgres://")).toEqual({ parameters: {} });
    expect(parse("postgres://db")).toEqual({ host: "db", parameters: {} });
    expect(parse("POSTGRES://db/?")).toEqual({ host: "db", parameters: {} });
  });

  it("decodes each part, and only once", () => {
    const text = `a@b:c/d%e#f?g&h='i"j\\k ü+%41`;
    const code = encodeURIComponent(text);
    expect(parse(`postgresql://${code}:${code}@db/${code}?application_name=${code}`)).toEqual({
      user: text,
      password: text,
      host: "db",
      database: text,
      parameters: { application_name: text },
    });
  });

  it("takes signs without a meaning as they are", () => {
    expect(parse(`postgresql://m'e:a:b@c&d='"\\ü+@db/p'a\\r`)).toEqual({
      user: "m'e",
      password: `a:b@c&d='"\\ü+`,
      host: "db",
      database: "p'a\\r",
      parameters: {},
    });
  });

  it.each([
    ["postgresql://[::1]:5433/x", { host: "::1", port: 5433, database: "x" }],
    ["postgresql://%2Fvar%2Frun%2Fpostgresql/x", { host: "/var/run/postgresql", database: "x" }],
    ["postgresql:///x?host=/var/run&port=5433", { host: "/var/run", port: 5433, database: "x" }],
    [
      "postgresql://db?user=me&password=p%40&dbname=x",
      { host: "db", user: "me", password: "p@", database: "x" },
    ],
  ])("reads %s", (text, parts) => {
    expect(parse(text)).toMatchObject(parts);
  });

  it.each([
    `postgresql://me:${PASSWORD}/x@db/parley`,
    `postgresql://me:/${PASSWORD}@db/parley`,
    `postgresql://me:7/${PASSWORD}@db/parley`,
    `postgresql://me:a@7/${PASSWORD}@db/parley`,
    `postgresql://me:?${PASSWORD}@db/parley`,
    `postgresql://me:7?${PASSWORD}@db/parley`,
    `postgresql://me:a@7?${PASSWORD}@db/parley`,
    `postgresql://me:#${PASSWORD}@db/parley`,
    `postgresql://me:7#${PASSWORD}@db/parley`,
    `postgresql://me:%${PASSWORD}@db/parley`,
    `postgresql://me:%ff${PASSWORD}@db/parley`,
    `postgresql://me:a b${PASSWORD}@db/parley`,
    `postgresql://me:a:${PASSWORD}`,
    `postgresql://me:${PASSWORD}`,
  ])("refuses %s, says which signs have codes, and prints no password", (text) => {
    expect(() => parse(text)).toThrow(
      /^DATABASE_URL (cannot be read|has a [^:]*): write signs .* as %2F, .*\.$/,
    );
    expect(() => parse(text)).not.toThrow(PASSWORD);
  });

  it.each([
    ["mysql://db/x", "is not the address of a PostgreSQL server: write it as postgresql://user:"],
    [PASSWORD, "is not the address of a PostgreSQL server"],
    ["postgresql:db", "is not the address of a PostgreSQL server"],
    ["postgresql://a,b/x", "names several hosts: set it to one"],
    ["postgresql://a:1,b:2/x", "names several hosts"],
    ["postgresql://db:0/x", "has a port that is no number from 1 to 65535"],
    ["postgresql://db:65536/x", "has a port that is no number from 1 to 65535"],
    ["postgresql://me:a%00b@db/x", "has the code %00: leave it out"],
    ["postgresql://db/x?schema=mine", 'asks for the schema "mine", but the tables are in'],
  ])("refuses %s", (text, message) => {
    expect(() => parse(text)).toThrow(`DATABASE_URL ${message}`);
  });

  it("takes what other programs add to an address", () => {
    const query = "?schema=public&pgbouncer=true&connection_limit=5&&x";
    expect(parse(`postgresql://db/x${query}`)).toMatchObject({ host: "db", database: "x" });
  });
});
