import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import { describe, expect, it } from "vitest";
import { createChat } from "@/server/chat/create-chat";
import { type DatabaseSettings, openDatabase } from "@/server/db/connection/open-database";
import { requireNoRestore } from "@/server/db/connection/unfinished-restore";
import { saveSetting } from "@/server/db/sql/writes/dated-writes";
import { bindSecret } from "@/server/mcp/server-secrets";
import { createKeyCipher } from "@/server/model/catalog/key-cipher";
import { createEmpty, createMigrated, makeDirectory } from "@/test/backup-fixture";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { testServerUrl } from "@/test/database";
import { readAllRows } from "@/test/read-all-rows";
import { restoreBackup } from "./restore-backup";
import { writeBackup } from "./write-backup";

const SECRET = "0123456789abcdef0123456789abcdef";
const NOW = new Date("2026-11-29T12:00:00Z");

const backUp = (settings: DatabaseSettings, file: string, secret?: string) =>
  writeBackup({ file, settings, force: false, secret, now: NOW });
const restore = (settings: DatabaseSettings, file: string, secret: string | null = null) =>
  restoreBackup({ file, settings, secret });

/** What is hard to write and to read back: any character, NUL, long texts, many digits. */
const VALUES: Record<string, unknown> = {
  texts: ["a\tb\nc\\d\"e'f", "ä😀 ", "\u0000", "{x,y}", "\\N", ""],
  long: "x".repeat(3_000_000),
  nothing: null,
};

/** Fills a database with a chat, odd values, keys and bytes, and the data directory with files. */
const fill = async (settings: DatabaseSettings): Promise<void> => {
  const db = openDatabase(settings);
  const context = await createTestContext(db);
  for (let count = 0; count < 3; count++)
    await createChat(context, { content: toTextContent(`hello\u0000 ${count}`) });
  for (const [key, value] of Object.entries(VALUES))
    await saveSetting(db, { key, value: value as never });
  const id = "01990000-0000-7000-8000-000000000001";
  const cipher = createKeyCipher(SECRET);
  const model = { id, provider: "openai", model: "gpt-9", name: "9" };
  await db.prisma.model.create({
    data: { ...model, encryptedKey: cipher.encrypt("key", id), temperature: 0.1 + 0.2 },
  });
  const secrets = { TOKEN: cipher.encrypt("token", bindSecret(id, "TOKEN")) };
  await db.prisma.mcpServer.create({
    data: { id, name: "github", declaration: { encrypted_secrets: secrets } },
  });
  const owner = { connect: { id: context.actor.userId } };
  await db.prisma.artifact.create({
    data: {
      id,
      owner,
      name: "bytes",
      mediaType: "x/y",
      size: 256,
      hash: "h",
    },
  });
  const bytes = Buffer.from(Array.from({ length: 256 * 1024 }, (_, index) => index % 256));
  for (let position = 0; position < 20; position++)
    await db.prisma.artifactSlice.create({ data: { artifactId: id, position, bytes } });
  await db.close();
  const workspace = path.join(settings.dataDir, "workspaces", "chat");
  mkdirSync(path.join(workspace, "deep", "empty"), { recursive: true });
  writeFileSync(path.join(workspace, "deep", "ü".repeat(120)), Buffer.alloc(700_000, "text"));
  chmodSync(path.join(workspace, "deep", "ü".repeat(120)), 0o640);
  symlinkSync("/etc/passwd", path.join(workspace, "link"));
  writeFileSync(path.join(settings.dataDir, "workspaces", ".directory"), "id");
  chmodSync(path.join(workspace, "deep"), 0o500);
};

/** Reads what a data directory has for chats. */
const readFiles = (dataDir: string) =>
  readdirSync(path.join(dataDir, "workspaces"), { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const file = path.join(dataDir, "workspaces", name);
      const stats = lstatSync(file);
      const content = stats.isSymbolicLink()
        ? readlinkSync(file)
        : stats.isFile() && createHash("sha256").update(readFileSync(file)).digest("hex");
      return [name, stats.mode, content];
    });

const KINDS = testServerUrl
  ? ([
      [testServerUrl, testServerUrl],
      [testServerUrl, undefined],
      [undefined, testServerUrl],
    ] as const)
  : ([[undefined, undefined]] as const);
const toName = (url?: string) => (url === undefined ? "the embedded database" : "PostgreSQL");

it.each(KINDS.map(([from, to]) => ({ from, to, title: `${toName(from)} to ${toName(to)}` })))(
  "restores every row and every file from $title",
  async ({ from, to }) => {
    const source = await createMigrated(from);
    await fill(source);
    const file = path.join(makeDirectory(), "backup");
    const { rows } = await backUp(source, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.incomplete`)).toBe(false);
    const target = await createEmpty(to);
    const restored = await restore(target, file);
    expect(restored?.rows).toEqual(rows);
    const [before, after] = [await readAllRows(source), await readAllRows(target)];
    expect(before.artifact_slice).toHaveLength(20);
    expect(after.setting?.filter((row) => !row.startsWith('["restored_by"'))).toEqual(
      before.setting,
    );
    expect({ ...after, setting: [] }).toEqual({ ...before, setting: [] });
    expect(readFiles(target.dataDir)).toEqual(readFiles(source.dataDir));
    expect(() => {
      requireNoRestore(target.dataDir);
    }).not.toThrow();
    expect(restored?.unreadable).toEqual({
      models: ["openai/gpt-9"],
      mcpServers: ["github (TOKEN)"],
    });
    // Sequences go on, and the new database is used as any other.
    const db = openDatabase(target);
    const chat = await createChat(await createTestContext(db), { content: toTextContent("new") });
    expect(await db.prisma.part.count({ where: { message: { chatId: chat.id } } })).toBe(1);
    await db.close();
  },
);

it("has the secret only when that is asked for, and replaces no other one", async () => {
  const source = await createMigrated();
  await fill(source);
  const directory = makeDirectory();
  const [without, with_] = [path.join(directory, "without"), path.join(directory, "with")];
  await backUp(source, without);
  expect(gunzipSync(readFileSync(without)).includes(SECRET)).toBe(false);
  await backUp(source, with_, SECRET);
  const other = await createEmpty();
  writeFileSync(path.join(other.dataDir, "secret"), "x".repeat(32));
  await expect(restore(other, with_)).rejects.toThrow(
    /secret is another secret than that of the backup: move it/,
  );
  expect(readdirSync(other.dataDir)).not.toContain("pg");
});

describe("a file that cannot be restored is refused, and nothing changes", () => {
  /** @returns why it is refused. */
  const refuse = async (file: string, target?: DatabaseSettings): Promise<string> => {
    const settings = target ?? (await createEmpty());
    const before = readdirSync(settings.dataDir).filter((name) => !name.startsWith("lock"));
    const reason = await restore(settings, file).then(
      () => "restored",
      (error: unknown) => (error as Error).message,
    );
    expect(readdirSync(settings.dataDir).filter((name) => !name.startsWith("lock"))).toEqual(
      before,
    );
    return reason;
  };

  let whole: Buffer | undefined;
  /** @returns a copy of a backup. */
  const write = async (): Promise<string> => {
    const file = path.join(makeDirectory(), "backup");
    if (whole) writeFileSync(file, whole);
    else {
      const source = await createMigrated();
      await fill(source);
      await backUp(source, file);
      whole = readFileSync(file);
    }
    return file;
  };

  /** Changes entries as somebody would who keeps the format. */
  const edit = async (file: string, change: (name: string, text: string) => string) => {
    const entries = await unpackTar(new Uint8Array(gunzipSync(readFileSync(file))));
    const edited = entries.map(({ header, data }) => {
      const body = Buffer.from(
        change(header.name, Buffer.from(data ?? []).toString("latin1")),
        "latin1",
      );
      return { header: { ...header, size: body.length }, body: new Uint8Array(body) };
    });
    writeFileSync(file, gzipSync(await packTar(edited)));
  };

  it("one that is cut", async () => {
    const file = await write();
    const { size } = statSync(file);
    for (const left of [size - 1, size - 200, size >> 1, 1_000, 0]) {
      truncateSync(file, left);
      expect(await refuse(file)).toMatch(/cannot be restored: it is (cut|empty|no backup)/);
    }
  });

  it("one whose end is missing although it is packed well", async () => {
    const file = await write();
    const entries = await unpackTar(new Uint8Array(gunzipSync(readFileSync(file))));
    const bytes = entries.slice(0, -1).map(({ header, data }) => ({ header, body: data }));
    writeFileSync(file, gzipSync(await packTar(bytes)));
    expect(await refuse(file)).toContain("cannot be restored: it is cut");
  });

  it("one that was altered", async () => {
    const file = await write();
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = ~(bytes[bytes.length >> 1] ?? 0) & 255;
    writeFileSync(file, bytes);
    expect(await refuse(file)).toMatch(/cannot be restored: (its content was altered|it is cut)/);
    const other = await write();
    await edit(other, (name, text) =>
      name.startsWith("tables/user") ? text.replace("member", "owner") : text,
    );
    expect(await refuse(other)).toContain("its content was altered");
  });

  it("one of a newer version, and one of another program", async () => {
    const format = await write();
    await edit(format, (name, text) =>
      name === "parley-backup.json" ? text.replace('"format":1', '"format":2') : text,
    );
    expect(await refuse(format)).toContain("written by a newer version of Parley");
    const other = path.join(makeDirectory(), "other");
    writeFileSync(other, "text");
    expect(await refuse(other)).toContain("it is no backup of Parley");
    writeFileSync(other, gzipSync(await packTar([{ header: { name: "a", size: 1 }, body: "a" }])));
    expect(await refuse(other)).toContain("it is no backup of Parley");
    expect(await refuse(path.join(makeDirectory(), "nothing"))).toContain("there is no such file");
  });

  it("a directory that is not empty", async () => {
    const file = await write();
    const target = await createEmpty();
    mkdirSync(path.join(target.dataDir, "workspaces", "mine"), { recursive: true });
    expect(await refuse(file, target)).toContain("is not empty (it has workspaces): move all");
  });

  if (testServerUrl) {
    it("a server's database that is not empty", async () => {
      const file = await write();
      const target = await createMigrated(testServerUrl);
      expect(await refuse(file, target)).toContain("The database of DATABASE_URL is not empty");
    });
  }
});

it("says which files cannot be in it, and has all others", async () => {
  const source = await createMigrated();
  const workspace = path.join(source.dataDir, "workspaces", "chat");
  mkdirSync(path.join(workspace, ...Array.from({ length: 220 }, () => "d")), { recursive: true });
  mkdirSync(path.join(source.dataDir, "workspaces", ".removed-1"));
  writeFileSync(path.join(source.dataDir, "workspaces", ".removed-1", "gone"), "");
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff, 0x61])]), "");
  writeFileSync(path.join(workspace, "kept"), "");
  const file = path.join(makeDirectory(), "backup");
  const { files, leftOut } = await backUp(source, file);
  expect(files).toBe(1);
  expect(leftOut).toHaveLength(2);
  expect(leftOut).toContain("workspaces/chat/\uFFFDa");
  const entries = await unpackTar(new Uint8Array(gunzipSync(readFileSync(file))));
  const names = entries.map(({ header }) => header.name);
  expect(names).toContain("files/workspaces/chat/kept");
  expect(names.filter((name) => name.includes(".removed"))).toEqual([]);
});

it("replaces no file without being asked, and leaves the earlier one when it fails", async () => {
  const source = await createMigrated();
  const file = path.join(makeDirectory(), "backup");
  writeFileSync(file, "mine");
  await expect(backUp(source, file)).rejects.toThrow(`${file} exists: choose another name`);
  const empty = await createEmpty();
  await expect(
    writeBackup({ file, settings: empty, force: true, secret: undefined, now: NOW }),
  ).rejects.toThrow("There is no embedded database in");
  expect(readFileSync(file, "utf8")).toBe("mine");
  await writeBackup({ file, settings: source, force: true, secret: undefined, now: NOW });
  expect(readFileSync(file).subarray(0, 2).toString("hex")).toBe("1f8b");
  await expect(backUp(source, path.join(makeDirectory(), "none", "b"))).rejects.toThrow(
    "is no directory that this account may write",
  );
});

it("begins anew after a restore that was interrupted, which no server starts on", async () => {
  const source = await createMigrated();
  await fill(source);
  const file = path.join(makeDirectory(), "backup");
  await backUp(source, file, SECRET);
  const target = await createEmpty();
  mkdirSync(path.join(target.dataDir, "restore", "pg.init"), { recursive: true });
  writeFileSync(path.join(target.dataDir, "restore", "id"), "some");
  mkdirSync(path.join(target.dataDir, "workspaces", "half"), { recursive: true });
  const db = openDatabase(target);
  await expect(db.prisma.setting.count()).rejects.toThrow(/A restore into .* was interrupted/);
  await db.close();
  expect(existsSync(path.join(target.dataDir, "pg"))).toBe(false);
  expect(await restore(target, file)).toMatchObject({
    unreadable: { models: [], mcpServers: [] },
    hasSecret: true,
  });
  expect(readFileSync(path.join(target.dataDir, "secret"), "utf8").trim()).toBe(SECRET);
  expect(readFiles(target.dataDir)).toEqual(readFiles(source.dataDir));
});
