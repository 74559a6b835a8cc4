import { chmod, mkdir, mkdtemp, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { asOrdinaryUser, giveToOrdinaryUser } from "@/test/ordinary-user";
import { removeTree } from "./remove-tree";
import { joinPath, withPlace } from "./rooted-directory";
import { ENTRY_BYTES, measureUsage } from "./workspace-usage";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "parley-usage-"));
});
afterEach(() => removeTree(root));

it("measures what lies deeper than a path can be long", async () => {
  const names = Array.from({ length: 60 }, () => "n".repeat(200));
  const makeDirectory = async (path: string): Promise<void> => void (await mkdir(path));
  await withPlace([...names, "file"], { root, makeDirectory }, ({ directory }) =>
    writeFile(joinPath(directory, "file"), "12345"),
  );
  await writeFile(join(root, "file"), "123");
  expect(await measureUsage(root)).toMatchObject({ bytes: 8, files: 62 });
  expect(await measureUsage(root, { maxFiles: 50 })).toMatchObject({ files: 51 });
});

it.each([0, 0o400, 0o100])("measures directories with the mode %o", async (mode) => {
  await mkdir(join(root, "a/b"), { recursive: true });
  await writeFile(join(root, "a/b/file"), "12345");
  const all = [join(root, "a/b"), join(root, "a"), root];
  await giveToOrdinaryUser(...all);
  for (const path of all) await chmod(path, mode);
  expect(await asOrdinaryUser(() => measureUsage(root))).toMatchObject({ bytes: 5, files: 3 });
});

it("measures the disk that files take, which is neither less nor more than their sizes", async () => {
  for (let index = 0; index < 10; index++) await writeFile(join(root, `empty-${index}`), "");
  const { diskBytes: ofEmpty } = await measureUsage(root);
  expect(ofEmpty).toBe(10 * ENTRY_BYTES);
  await writeFile(join(root, "holes"), "");
  await truncate(join(root, "holes"), 1024 ** 4);
  expect((await measureUsage(root)).diskBytes).toBe(11 * ENTRY_BYTES);
  await writeFile(join(root, "small"), "12345");
  expect((await measureUsage(root)).diskBytes).toBeGreaterThan(12 * ENTRY_BYTES + 5);
});
