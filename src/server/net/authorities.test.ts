import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { trustSystemAuthorities, writeAuthorities } from "./authorities";

const toKey = (pem: string): string => pem.replace(/\s/g, "");

it("trusts the authorities of the system and those of Node.js", () => {
  const before = tls.getCACertificates("default");
  onTestFinished(() => tls.setDefaultCACertificates(before));
  trustSystemAuthorities();
  const after = new Set(tls.getCACertificates("default").map(toKey));
  const all = [...before, ...tls.getCACertificates("system")].map(toKey);
  expect(after).toEqual(new Set(all));
});

it("writes what is trusted into one file that each account can read", async () => {
  const [authority = ""] = tls.getCACertificates("bundled");
  const directory = await mkdtemp(path.join(os.tmpdir(), "parley-authorities-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = path.join(directory, "authorities.pem");
  expect(await writeAuthorities(file)).toBe(file);
  expect(toKey(await readFile(file, "utf8"))).toContain(toKey(authority));
  expect((await stat(file)).mode & 0o777).toBe(0o644);
});
