import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { asOrdinaryUser, giveToOrdinaryUser } from "@/test/ordinary-user";
import { removeTree } from "./remove-tree";
import { joinPath, withPlace } from "./rooted-directory";
import { measureUsage } from "./workspace-usage";

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
  expect(await measureUsage(root)).toEqual({ bytes: 8, files: 62 });
  expect(await measureUsage(root, { maxFiles: 50 })).toMatchObject({ files: 51 });
});

it.each([0, 0o400, 0o100])("measures directories with the mode %o", async (mode) => {
  await mkdir(join(root, "a/b"), { recursive: true });
  await writeFile(join(root, "a/b/file"), "12345");
  const all = [join(root, "a/b"), join(root, "a"), root];
  await giveToOrdinaryUser(...all);
  for (const path of all) await chmod(path, mode);
  expect(await asOrdinaryUser(() => measureUsage(root))).toEqual({ bytes: 5, files: 3 });
});
