import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createInnerSettings } from "@/server/exec/sandbox/inner-command";
import { createPerlProgram } from "@/server/exec/sandbox/perl-program";

const directory = "src/server/exec/sandbox/perl";
const names = readdirSync(directory).filter((name) => name.endsWith(".pl"));

/** Programs run without these checks, as loading them takes time at the start of each command. */
const STRICT = ["-Mstrict", "-Mwarnings=FATAL,all", "-c"];

it.each(names)("%s compiles with all warnings of Perl", (name) => {
  // Each program has this file already.
  const text = name === "system.pl" ? "" : readFileSync(path.join(directory, name), "utf8");
  const program = createPerlProgram(createInnerSettings(false), [text]);
  const { stderr } = spawnSync("perl", [...STRICT, "-e", program], { encoding: "utf8" });
  expect(stderr).toBe("-e syntax OK\n");
});

it.each(names)("%s has a test of its own", (name) => {
  expect(readdirSync(directory)).toContain(name.replace(/\.pl$/, ".test.ts"));
});
