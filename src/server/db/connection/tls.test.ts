import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCertificate } from "@/test/certificates";
import { testServerUrl } from "@/test/database";
import { startPrivatePostgres } from "@/test/private-postgres";
import { classifyFailure } from "./database-failure";
import { createServerConfig, ServerClient } from "./server-client.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "parley-tls-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** A folder that the account of the server can write to. */
const SOCKETS = "/tmp";

const authority = createCertificate({ name: "Authority" });
const other = createCertificate({ name: "Other authority" });
const own = createCertificate({ name: "self", hosts: ["localhost"] });
const server = createCertificate({ name: "server", hosts: ["localhost"], issuer: authority });
const expired = createCertificate({
  name: "server",
  hosts: ["localhost"],
  issuer: authority,
  validUntil: new Date(Date.now() - 1_000),
});
const person = createCertificate({ name: "certified", hosts: ["none"], issuer: authority });

const FILES = {
  root: write("root.pem", authority.cert),
  other: write("other.pem", other.cert),
  own: write("own.pem", own.cert),
  cert: write("person.pem", person.cert),
  key: write("person.key", person.key),
  damaged: write("damaged.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
};

const create = (parameters: string, host = "localhost") =>
  createServerConfig(`postgresql://me@${host}/x?${parameters}`, "DATABASE_URL");

describe("createServerConfig", () => {
  it("creates certificates that are what they seem", () => {
    const read = ({ cert }: { cert: string }) => new X509Certificate(cert);
    expect(read(server).checkIssued(read(authority))).toBe(true);
    expect(read(server).verify(read(authority).publicKey)).toBe(true);
    expect(read(server).verify(read(other).publicKey)).toBe(false);
    expect(read(authority).ca).toBe(true);
    expect(read(server).subjectAltName).toBe("DNS:localhost");
  });

  it.each([
    [
      "sslmode=on",
      'has the sslmode "on": set it to one of disable, allow, prefer, require, verify',
    ],
    ["ssl=maybe", 'has the sslmode "maybe"'],
    ["sslmode=verify-ca", "has sslmode=verify-ca without sslrootcert: set sslrootcert to the file"],
    ["sslmode=require&sslrootcert=system", "has sslrootcert=system with sslmode=require: set"],
    ["sslrootcert=/none&sslmode=require", "has sslrootcert=/none, which cannot be read: ENOENT"],
    [`sslmode=verify-full&sslrootcert=${FILES.damaged}`, "has certificates or a key that cannot"],
    [`sslcert=${FILES.cert}&sslkey=${FILES.damaged}`, "has certificates or a key that cannot"],
    [`sslcert=${FILES.cert}`, "has only one of sslcert and sslkey: set both"],
    ["sslnegotiation=direct", "has sslnegotiation=direct with sslmode=prefer: set sslmode=require"],
  ])("refuses %s", (parameters, message) => {
    expect(() => create(parameters)).toThrow(`DATABASE_URL ${message}`);
  });

  it.each(["sslmode=require", "ssl=true", "ssl=1", "uselibpqcompat=true&sslmode=require"])(
    "takes %s as encryption without verification",
    (parameters) => {
      expect(create(parameters)).toMatchObject({
        mayLackTls: false,
        ssl: { rejectUnauthorized: false },
      });
    },
  );

  it("does without TLS on a Unix socket", () => {
    const config = create("sslmode=verify-full", "%2Fvar%2Frun%2Fpostgresql");
    expect(config).toMatchObject({ host: "/var/run/postgresql", ssl: false });
  });

  it("trusts the authorities of the system if it has to verify and no other one is named", () => {
    for (const parameters of ["sslmode=verify-full", "sslrootcert=system"])
      expect(create(parameters)).toMatchObject({ ssl: { rejectUnauthorized: true } });
  });
});

const WITHOUT_TLS = "does not support SSL connections): set sslmode=disable or sslmode=prefer";
const WITH_TLS_ONLY = "no encryption): set sslmode=require";
const NOT_VERIFIED = "set sslrootcert to the file of its authority, or sslmode=require to verify";
const OTHER_HOST = "set the host to one of these names, or sslmode=verify-ca with sslrootcert";

type Case = [parameters: string, outcome: boolean | string];

if (testServerUrl) {
  /** @returns whether the connection is encrypted. */
  const connect = async (url: string): Promise<boolean> => {
    const client = new ServerClient(createServerConfig(url, "DATABASE_URL"));
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ ssl: boolean }>(
        "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
      );
      return rows[0]?.ssl === true;
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  const expectOutcome = async (url: string, outcome: Case[1]): Promise<void> => {
    if (typeof outcome === "boolean") {
      expect(await connect(url)).toBe(outcome);
      return;
    }
    const error: unknown = await connect(url).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ message: expect.stringContaining(outcome) as string });
    // It may begin while the process runs, as a certificate expires.
    expect(classifyFailure(error)).toBe("unreachable");
  };

  const MODES_WITHOUT_CHECK: Case[] = [
    ["", true],
    ["sslmode=disable", false],
    ["sslmode=allow", true],
    ["sslmode=prefer", true],
    ["sslmode=require", true],
    ["sslmode=no-verify", true],
  ];

  describe("a server without TLS", () => {
    it.each<Case>([
      ["", false],
      ["sslmode=disable", false],
      ["sslmode=allow", false],
      ["sslmode=prefer", false],
      ["sslmode=require", WITHOUT_TLS],
      ["sslmode=no-verify", WITHOUT_TLS],
      [`sslmode=verify-ca&sslrootcert=${FILES.root}`, WITHOUT_TLS],
      ["sslmode=verify-full", WITHOUT_TLS],
    ])("with %s", async (parameters, outcome) => {
      await expectOutcome(`${testServerUrl}?${parameters}`, outcome);
    });
  });

  describe("a server with TLS", () => {
    let postgres: Awaited<ReturnType<typeof startPrivatePostgres>>;
    beforeAll(async () => {
      postgres = await startPrivatePostgres(undefined, {
        settings: { ssl: "on", ssl_ca_file: "root.crt", unix_socket_directories: SOCKETS },
        files: {
          "server.crt": server.cert,
          "server.key": server.key,
          "root.crt": authority.cert,
          "pg_hba.conf": [
            "hostssl all certified all cert",
            "hostssl all encrypted all scram-sha-256",
            "hostnossl all encrypted,certified all reject",
            "host all parley all scram-sha-256",
            "local all parley scram-sha-256",
          ].join("\n"),
        },
      });
      await run("CREATE ROLE encrypted LOGIN PASSWORD 'secret'");
      await run("CREATE ROLE certified LOGIN");
    });
    afterAll(() => postgres.stop());

    const run = async (sql: string): Promise<Record<string, unknown>> => {
      const client = new ServerClient(createServerConfig(postgres.url, "DATABASE_URL"));
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(sql);
      await client.end();
      return rows[0] ?? {};
    };
    const change = async ({ cert, key }: typeof server): Promise<void> => {
      postgres.write({ "server.crt": cert, "server.key": key });
      await run("SELECT pg_reload_conf()");
    };
    const toUrl = (parameters: string, login?: string): string => {
      const url = new URL(postgres.url);
      url.hostname = "localhost";
      if (login !== undefined) [url.username = "", url.password = ""] = login.split(":");
      return `${url.toString()}?${parameters}`;
    };

    it.each<Case>([
      ...MODES_WITHOUT_CHECK,
      [`sslmode=require&sslrootcert=${FILES.root}`, true],
      [`sslmode=require&sslrootcert=${FILES.other}`, NOT_VERIFIED],
      [`sslmode=no-verify&sslrootcert=${FILES.other}`, true],
      [`sslmode=verify-ca&sslrootcert=${FILES.root}`, true],
      [`sslmode=verify-ca&sslrootcert=${FILES.other}`, NOT_VERIFIED],
      [`sslmode=verify-full&sslrootcert=${FILES.root}`, true],
      [`sslmode=verify-full&sslrootcert=${FILES.other}`, NOT_VERIFIED],
      ["sslmode=verify-full", NOT_VERIFIED],
      ["sslmode=require&channel_binding=require", true],
    ])("whose certificate is of a private authority, with %s", async (parameters, outcome) => {
      await expectOutcome(toUrl(parameters), outcome);
    });

    it.each<Case>([
      ...MODES_WITHOUT_CHECK,
      [`sslmode=verify-ca&sslrootcert=${FILES.root}`, true],
      [`sslmode=verify-full&sslrootcert=${FILES.root}`, OTHER_HOST],
    ])("whose certificate is for another host, with %s", async (parameters, outcome) => {
      await expectOutcome(toUrl(parameters).replace("localhost", "127.0.0.1"), outcome);
    });

    it.each<Case>([
      ["", true],
      ["sslmode=disable", WITH_TLS_ONLY],
      ["sslmode=allow", true],
      ["sslmode=prefer", true],
      ["sslmode=require", true],
      [`sslmode=verify-full&sslrootcert=${FILES.root}`, true],
    ])("that it requires, with %s", async (parameters, outcome) => {
      await expectOutcome(toUrl(parameters, "encrypted:secret"), outcome);
    });

    it("that is reached by a Unix socket, which is not encrypted", async () => {
      const { username, password, port } = new URL(postgres.url);
      const address = `postgresql://${username}:${password}@/postgres?host=${SOCKETS}&port=${port}`;
      for (const parameters of ["", "&sslmode=require", "&sslmode=verify-full"])
        expect(await connect(`${address}${parameters}`)).toBe(false);
    });

    it("that is asked for TLS at once, which PostgreSQL can from version 17 on", async () => {
      const { version } = await run("SELECT current_setting('server_version_num')::int AS version");
      const connected = connect(toUrl("sslmode=require&sslnegotiation=direct"));
      if (Number(version) >= 170_000) expect(await connected).toBe(true);
      else await expect(connected).rejects.toThrow();
    });

    it("that requires a certificate of the client", async () => {
      const parameters = `sslmode=require&sslcert=${FILES.cert}&sslkey=${FILES.key}`;
      await expectOutcome(toUrl(parameters, "certified"), true);
      await expect(connect(toUrl("sslmode=require", "certified"))).rejects.toThrow("certificate");
    });

    describe("whose certificate is signed by itself", () => {
      beforeAll(() => change(own));
      it.each<Case>([
        ...MODES_WITHOUT_CHECK,
        [`sslmode=verify-ca&sslrootcert=${FILES.own}`, true],
        [`sslmode=verify-full&sslrootcert=${FILES.own}`, true],
        [`sslmode=verify-ca&sslrootcert=${FILES.root}`, NOT_VERIFIED],
        ["sslmode=verify-full", NOT_VERIFIED],
      ])("with %s", async (parameters, outcome) => {
        await expectOutcome(toUrl(parameters), outcome);
      });
    });

    describe("whose certificate has expired", () => {
      beforeAll(() => change(expired));
      it.each<Case>([
        ["sslmode=require", true],
        [`sslmode=verify-ca&sslrootcert=${FILES.root}`, "certificate has expired"],
      ])("with %s", async (parameters, outcome) => {
        await expectOutcome(toUrl(parameters), outcome);
      });
    });
  });
}
