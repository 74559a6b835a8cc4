import { spawnSync } from "node:child_process";
import pg from "pg";
import { v7 as newId } from "uuid";
import { afterEach, describe, expect, it } from "vitest";
import { testDatabase, testServerUrl, withClient } from "@/test/database";
import { requireRights } from "./database-rights.mjs";
import type { Database } from "./database";
import { openDatabase } from "./open-database";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const quote = pg.escapeIdentifier;
const PASSWORD = "of-a-test";

let count = 0;

/** Creates a role that may do nothing, and a database. @returns their names and how they are worked with. */
const createRole = async (server: string, owner?: "owner") => {
  const name = `parley_role_${process.pid}_${(count += 1)}`;
  await withClient(server, async (client) => {
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'`);
    await client.query(`CREATE DATABASE ${name} ${owner ? `OWNER ${name}` : ""}`);
  });
  closing.push(() =>
    withClient(server, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.query(`DROP OWNED BY ${name} CASCADE`);
      await client.query(`DROP ROLE ${name}`);
    }),
  );
  const [url, admin] = [new URL(server), new URL(server)];
  [url.username, url.password] = [name, PASSWORD];
  url.pathname = admin.pathname = `/${name}`;
  return { name, url: url.toString(), admin: admin.toString() };
};

const runAs = (url: string, ...statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const sql of statements) await client.query(sql);
  });

const migrate = (url: string): { code: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/db-migrate.mjs"], {
    env: { ...process.env, DATABASE_URL: url, DATABASE_DIRECT_URL: "" },
    encoding: "utf8",
  });
  return { code: status, output: stdout + stderr };
};

const open = (databaseUrl: string): Database => {
  const db = openDatabase({ databaseUrl, dataDir: "", poolSize: 2 });
  closing.push(db.close);
  return db;
};

const expectToWork = async (url: string): Promise<void> => {
  const [one, two] = [open(url), open(url)];
  const received: string[] = [];
  await two.changes.subscribe((notice) => received.push(notice));
  const key = newId();
  await one.prisma.setting.create({ data: { key, value: 1 } });
  await one.query({ name: "test-say", announces: true, text: "SELECT $1 AS notice" }, [key]);
  await expect.poll(() => received).toEqual([key]);
  await one.prisma.setting.delete({ where: { key } });
};

const describeRoles = (server: string): void => {
  it("works if it owns the database, and is no superuser", async () => {
    const { url } = await createRole(server, "owner");
    expect(migrate(url)).toMatchObject({ code: 0 });
    await expectToWork(url);
  });

  it("works if it may create tables and extensions in a database of another role", async () => {
    const { name, url, admin } = await createRole(server);
    await runAs(
      admin,
      `GRANT CREATE ON DATABASE ${name} TO ${name}`,
      `GRANT CREATE ON SCHEMA public TO ${name}`,
    );
    expect(migrate(url)).toMatchObject({ code: 0 });
    await expectToWork(url);
  });

  it("works if it may only create tables, where the extensions are there", async () => {
    const { name, url, admin } = await createRole(server);
    await runAs(
      admin,
      `ALTER SCHEMA public OWNER TO ${name}`,
      "CREATE EXTENSION pg_trgm",
      "CREATE EXTENSION btree_gin",
    );
    expect(migrate(url)).toMatchObject({ code: 0 });
    await expectToWork(url);
  });

  it("works if it may only change rows, when another role migrates", async () => {
    const other = `parley_other_${process.pid}`;
    closing.push(() => runAs(server, `DROP ROLE ${other}`));
    const { name, url, admin } = await createRole(server);
    expect(migrate(admin)).toMatchObject({ code: 0 });
    await runAs(
      admin,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`,
      "CREATE TABLE of_another_program (id int)",
      `CREATE ROLE ${other}`,
      `ALTER TABLE of_another_program OWNER TO ${other}`,
    );
    expect(migrate(url)).toMatchObject({ code: 0 });
    await expectToWork(url);
  });

  it.each([
    [[], /SELECT, INSERT, UPDATE and DELETE on [\w", ]+ and others/],
    [["SELECT"], /lacks INSERT, UPDATE and DELETE on/],
    [["SELECT", "INSERT", "UPDATE"], /lacks DELETE on/],
  ])("is refused at the start if it may only %j", async (rights, message) => {
    const { name, url, admin } = await createRole(server);
    expect(migrate(admin)).toMatchObject({ code: 0 });
    if (rights.length > 0)
      await runAs(admin, `GRANT ${rights.join()} ON ALL TABLES IN SCHEMA public TO ${name}`);
    const refused = open(url).prisma.setting.count();
    await expect(refused).rejects.toThrow(message);
    await expect(open(url).prisma.setting.count()).rejects.toThrow(
      `run \`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "${name}"\` as their owner`,
    );
  });

  it.each([
    [["DATABASE"], /: run `GRANT USAGE, CREATE ON SCHEMA public TO "(\w+)"` as a superuser/],
    [["SCHEMA"], /: run `GRANT CREATE ON DATABASE "\w+" TO "(\w+)"` as a superuser/],
    [[], /: run `GRANT CREATE ON DATABASE "\w+" TO "(\w+)"; GRANT USAGE, CREATE ON SCHEMA public/],
  ])("may not migrate if it may create in %j only", async (rights, message) => {
    const { name, url, admin } = await createRole(server);
    for (const right of rights)
      await runAs(
        admin,
        `GRANT CREATE ON ${right} ${right === "SCHEMA" ? "public" : name} TO ${name}`,
      );
    const { code, output } = migrate(url);
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(message.exec(output)?.[1]).toBe(name);
  });

  it("may not migrate tables of another role, which is named", async () => {
    const { name, url, admin } = await createRole(server, "owner");
    expect(migrate(admin)).toMatchObject({ code: 0 });
    await runAs(
      admin,
      `GRANT SELECT, DELETE ON _prisma_migrations TO ${name}`,
      "DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)",
    );
    const { code, output } = migrate(url);
    expect(code).toBe(1);
    expect(output).toContain(`migrate as "${new URL(server).username}", which owns the tables`);
  });

  it("is refused if its tables would be in another schema", async () => {
    const { name, url, admin } = await createRole(server, "owner");
    await runAs(admin, `CREATE SCHEMA ${name} AUTHORIZATION ${name}`);
    const message = `finds tables in the schema "${name}" first, but those of Parley are in "public": run \`ALTER ROLE "${name}" SET search_path = public\``;
    expect(migrate(url)).toMatchObject({ code: 1 });
    expect(migrate(url).output).toContain(message);
    await runAs(url, `ALTER ROLE ${quote(name)} SET search_path = public`);
    expect(migrate(url)).toMatchObject({ code: 0 });
    await expectToWork(url);
    await runAs(admin, `ALTER ROLE ${quote(name)} RESET search_path`);
    await expect(open(url).prisma.setting.count()).rejects.toThrow(message);
  });

  it("is not asked to create a database that it may not create", async () => {
    const { name, url } = await createRole(server);
    const { code, output } = migrate(url.replace(/\w+$/, `${name}_missing`));
    expect(code).toBe(1);
    expect(output).toContain(
      `The database "${name}_missing" does not exist, and this role cannot create it (permission denied to create database): run \`CREATE DATABASE "${name}_missing" OWNER "${name}"\` as a superuser.`,
    );
  });

  it("that may not connect is refused with what the server says", async () => {
    const { name, url, admin } = await createRole(server);
    await runAs(admin, `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    await expect(open(url).prisma.setting.count()).rejects.toMatchObject({
      causeMessage: expect.stringContaining(
        `run \`GRANT CONNECT ON DATABASE "${name}" TO "${name}"\` as its owner`,
      ) as string,
    });
  });
};

it("has all rights in the database of a test, of which it is the owner", async () => {
  const db = await testDatabase();
  const query = (sql: string) => db.query<Record<string, unknown>>({ name: "", text: sql }, []);
  await expect(requireRights({ query })).resolves.toBeUndefined();
});

if (testServerUrl) {
  const server = testServerUrl;
  describe("a role without rights of a superuser", () => describeRoles(server));
}
