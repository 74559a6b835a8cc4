import { spawnSync } from "node:child_process";
import path from "node:path";
import pg from "pg";
import { v7 as newId } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCertificate } from "@/test/certificates";
import { testServerUrl, withClient } from "@/test/database";
import { hasPgBouncer, startPgBouncer } from "@/test/pgbouncer";
import { openDatabase } from "./open-database";

/** Signs that have a meaning in addresses, in SQL, in shells or in none. */
const SIGNS = `@:/%#?&='"\\ ü+%41`;

type Run = { code: number | null; output: string };

const runScript = (args: string[], variables: Record<string, string>): Run => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...variables },
    encoding: "utf8",
  });
  return { code: status, output: stdout + stderr };
};
const migrate = (variables: Record<string, string>): Run =>
  runScript(["scripts/db-migrate.mjs"], variables);
const runEngine = (command: string, url: string): Run => {
  const engine = path.resolve("scripts/schema-engine.mjs");
  return runScript([engine, "--datasource", JSON.stringify({ url }), "cli", command], {});
};

/** Works with the pool, the shared connection and notifications. */
const expectToWork = async (databaseUrl: string, directUrl?: string): Promise<void> => {
  const open = () =>
    openDatabase({
      databaseUrl,
      ...(directUrl !== undefined && { directUrl }),
      dataDir: "",
      poolSize: 2,
    });
  const [one, two] = [open(), open()];
  try {
    const received: string[] = [];
    await two.changes.subscribe((notice) => received.push(notice));
    const key = newId();
    await one.transaction((tx) => tx.prisma.setting.create({ data: { key, value: 1 } }));
    await one.query({ name: "test-say", announces: true, text: "SELECT $1 AS notice" }, [key]);
    expect(await two.prisma.setting.count({ where: { key } })).toBe(1);
    await expect.poll(() => received).toEqual([key]);
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
};

if (testServerUrl) {
  const server = testServerUrl;
  const name = `parley_${process.pid} ${SIGNS}`;
  const toUrl = (database: string, from = server): string => {
    const login = `${encodeURIComponent(name)}:${encodeURIComponent(SIGNS)}`;
    return `postgresql://${login}@${new URL(from).host}/${encodeURIComponent(database)}`;
  };
  const [url, direct] = [toUrl(name), toUrl(`${name} direct`)];

  describe("names and passwords with signs that have a meaning", () => {
    const role = pg.escapeIdentifier(name);
    const databases = [name, `${name} direct`].map((each) => pg.escapeIdentifier(each));
    beforeAll(() =>
      withClient(server, async (client) => {
        await client.query(
          `CREATE ROLE ${role} LOGIN CREATEDB PASSWORD ${pg.escapeLiteral(SIGNS)}`,
        );
      }),
    );
    afterAll(() =>
      withClient(server, async (client) => {
        for (const each of databases) await client.query(`DROP DATABASE ${each} WITH (FORCE)`);
        await client.query(`DROP ROLE ${role}`);
      }),
    );

    it("are those of a database that is created, migrated and worked with", async () => {
      expect(migrate({ DATABASE_URL: url, DATABASE_DIRECT_URL: "" })).toMatchObject({ code: 0 });
      await expectToWork(url);
    });

    it("may be in the direct address", async () => {
      expect(migrate({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct })).toMatchObject({
        code: 0,
      });
      await expectToWork(direct, direct);
    });

    it("are read by the engine that writes migrations", () => {
      expect(runEngine("can-connect-to-database", url).code).toBe(0);
      const own = toUrl(`${name} engine`);
      expect(runEngine("can-connect-to-database", own)).toMatchObject({ code: 1 });
      expect(runEngine("create-database", own).code).toBe(0);
      expect(runEngine("can-connect-to-database", own).code).toBe(0);
      expect(runEngine("drop-database", own).code).toBe(0);
    });

    if (hasPgBouncer) {
      const authority = createCertificate({ name: "Authority" });
      const own = createCertificate({ name: "pooler", hosts: ["127.0.0.1"], issuer: authority });

      it.each(["session", "transaction"] as const)(
        "go through a pooler in %s mode, with TLS",
        async (mode) => {
          const pooler = await startPgBouncer(url, mode, {
            settings: [
              "client_tls_sslmode = require",
              "client_tls_cert_file = pooler.crt",
              "client_tls_key_file = pooler.key",
              "server_tls_sslmode = prefer",
            ].join("\n"),
            files: { "root.crt": authority.cert, "pooler.crt": own.cert, "pooler.key": own.key },
          });
          const through = toUrl(name, pooler.url);
          const verified = `sslmode=verify-full&sslrootcert=${pooler.home}/root.crt`;
          try {
            for (const parameters of ["", "sslmode=require", verified])
              await expectToWork(
                `${through}?${parameters}`,
                mode === "transaction" ? url : undefined,
              );
            const plain = openDatabase({
              databaseUrl: `${through}?sslmode=disable`,
              directUrl: url,
              dataDir: "",
              poolSize: 1,
            });
            const refused = plain.prisma.setting.count();
            await expect(refused).rejects.toMatchObject({
              causeMessage:
                "The server of DATABASE_URL cannot be used (SSL required): set sslmode=require.",
            });
            await plain.close();
          } finally {
            await pooler.close();
          }
        },
      );
    }
  });
}

it("ends a migration with a sentence when the address cannot be read", () => {
  const refused = migrate({ DATABASE_URL: "postgresql://me:7/secret@db/x" });
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(/DATABASE_URL cannot be read: write signs of a name/);
  expect(refused.output).not.toContain("secret");
});
