import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { asOrdinaryUser, giveToOrdinaryUser } from "@/test/ordinary-user";
import { removeTree } from "./remove-tree";
import { withPlace } from "./rooted-directory";

let host: string;
let root: string;
let outside: string;

beforeEach(async () => {
  host = await mkdtemp(join(tmpdir(), "parley-remove-"));
  root = join(host, "root");
  outside = join(host, "outside");
  await mkdir(root);
  await mkdir(outside);
  await writeFile(join(outside, "kept.txt"), "kept");
});

afterEach(async () => {
  await removeTree(host);
});

const rootIsGone = () => expect(lstat(root)).rejects.toThrow("ENOENT");

const outsideIsUntouched = async () => {
  expect(await readdir(outside)).toEqual(["kept.txt"]);
  expect(await readFile(join(outside, "kept.txt"), "utf8")).toBe("kept");
};

it("removes files and directories whose names are not text", async () => {
  const bytes = Buffer.from([0x61, 0xff, 0xfe]);
  const directory = Buffer.concat([Buffer.from(`${root}/`), bytes]);
  await mkdir(directory);
  await writeFile(Buffer.concat([directory, Buffer.from("/"), bytes]), "x");
  await removeTree(root);
  await rootIsGone();
});

it("does nothing where there is nothing", async () => {
  await removeTree(join(root, "missing"));
  expect(await readdir(host)).toEqual(["outside", "root"]);
});

it("removes files, directories and pipes", async () => {
  await mkdir(join(root, "a/b/c"), { recursive: true });
  await writeFile(join(root, "a/b/file"), "x");
  await writeFile(join(root, "a/b/c/.hidden"), "x");
  execFileSync("mkfifo", [join(root, "pipe")]);
  await removeTree(root);
  await rootIsGone();
});

it("removes links, and not what they point at", async () => {
  await symlink(outside, join(root, "directory"));
  await symlink(join(outside, "kept.txt"), join(root, "file"));
  await symlink("../outside", join(root, "relative"));
  await symlink("nowhere", join(root, "broken"));
  await removeTree(root);
  await rootIsGone();
  await symlink(outside, root);
  await removeTree(root);
  await rootIsGone();
  await outsideIsUntouched();
});

it("removes read-only files and directories", async () => {
  await mkdir(join(root, "a/b"), { recursive: true });
  const file = join(root, "a/b/file");
  await writeFile(file, "x");
  const all = [file, join(root, "a/b"), join(root, "a"), root];
  await giveToOrdinaryUser(...all, host);
  await chmod(file, 0o400);
  for (const path of all.slice(1)) await chmod(path, 0o500);
  await asOrdinaryUser(async () => {
    await expect(rm(root, { recursive: true })).rejects.toThrow("EACCES");
    await removeTree(root);
  });
  await rootIsGone();
});

it.each([0, 0o400, 0o100])("removes directories with the mode %o", async (mode) => {
  await mkdir(join(root, "a/b"), { recursive: true });
  await writeFile(join(root, "a/b/file"), "x");
  const all = [join(root, "a/b"), join(root, "a"), root];
  await giveToOrdinaryUser(...all, host);
  for (const path of all) await chmod(path, mode);
  await asOrdinaryUser(() => removeTree(root));
  await rootIsGone();
});

it("removes a directory whose path is longer than the system allows", async () => {
  const names = Array.from({ length: 30 }, () => "n".repeat(200));
  const makeDirectory = async (path: string): Promise<void> => void (await mkdir(path));
  await withPlace([...names, "last"], { root, makeDirectory }, () => Promise.resolve());
  await removeTree(root);
  await rootIsGone();
});

it("removes directories at any depth with few open files", async () => {
  const [DEPTH, SAMPLE_MS] = [1_000, 10];
  const names = Array.from({ length: DEPTH }, () => "d");
  const makeDirectory = async (path: string): Promise<void> => void (await mkdir(path));
  await withPlace([...names, "last"], { root, makeDirectory }, () => Promise.resolve());
  const countOpen = (): number => readdirSync("/proc/self/fd").length;
  const before = countOpen();
  let most = 0;
  const sampling = setInterval(() => (most = Math.max(most, countOpen())), SAMPLE_MS);
  await removeTree(root);
  clearInterval(sampling);
  await rootIsGone();
  expect(most).toBeGreaterThan(before);
  expect(most).toBeLessThan(before + DEPTH / 2);
});

// An ordinary user can remove all files of its own.
it.runIf(process.getuid?.() === 0)("removes all that can be removed, and fails then", async () => {
  for (const name of ["before", "kept", "last"]) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, "file"), "x");
  }
  const removable = ["before", "last"].flatMap((name) => [name, `${name}/file`]);
  await giveToOrdinaryUser(host, root, ...removable.map((name) => join(root, name)));
  await asOrdinaryUser(() => expect(removeTree(root)).rejects.toThrow("EACCES"));
  expect(await readdir(root)).toEqual(["kept"]);
});

it("removes names of 255 bytes, and as many links as one directory may have", async () => {
  const name = Buffer.alloc(255, 0xff);
  const directory = Buffer.concat([Buffer.from(`${root}/`), name]);
  await mkdir(directory);
  await writeFile(Buffer.concat([directory, Buffer.from("/"), name]), "x");
  for (let index = 0; index < 2_000; index++) await symlink(outside, join(root, `${index}`));
  await removeTree(root);
  await rootIsGone();
  await outsideIsUntouched();
});

it("waits for its pace before each entry, and ends with it", async () => {
  for (const name of ["a", "b", "c", "d"]) await writeFile(join(root, name), "x");
  let left = 2;
  const pace = () => ((left -= 1) < 0 ? Promise.reject(new Error("enough")) : Promise.resolve());
  await expect(removeTree(root, pace)).rejects.toThrow("enough");
  expect(await readdir(root)).toHaveLength(2);
});

it("can be done by several at the same time", async () => {
  for (let index = 0; index < 50; index++) {
    await mkdir(join(root, `${index}`));
    await writeFile(join(root, `${index}/file`), "x");
  }
  await Promise.all([removeTree(root), removeTree(root), removeTree(root)]);
  await rootIsGone();
});

it("never follows a link that replaces a directory meanwhile", async () => {
  const directory = join(root, "directory");
  const away = join(host, "away");
  const link = join(host, "link");
  let swaps = 0;
  for (let round = 0; round < 200; round++) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "kept.txt"), "removed");
    await symlink(outside, link);
    const swap = async () => {
      await rename(directory, away);
      await rename(link, directory);
      swaps += 1;
    };
    await Promise.allSettled([removeTree(root), swap()]);
    await Promise.all([root, away, link].map((path) => removeTree(path)));
  }
  expect(swaps).toBeGreaterThan(0);
  await outsideIsUntouched();
});
