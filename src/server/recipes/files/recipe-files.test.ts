import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUILTIN_TOOL_NAMES } from "@/server/app/tool-registry";
import { checkFiles } from "./check-files";
import { describeReadError, listRecipeFiles } from "./list-files";
import type { FileRecipe } from "./load-folder";
import { createRecipeFiles } from "./recipe-files";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-files-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (name: string, text: string): Promise<void> => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
};

/** Has files be older than each load, so that none of them is loaded again without a change. */
const age = async (...names: string[]): Promise<void> => {
  const past = new Date(Date.now() - 60_000);
  for (const name of names) await utimes(path.join(folder, name), past, past);
};

const greet = (
  fields = "",
  name = "greet",
): string => `import { defineRecipe, z } from "parley/recipes";
export default defineRecipe({
  name: "${name}",
  description: "Greets",
  parameters: z.object({ who: z.string().min(1) }),
  example: { who: "Ada" },
  steps: [({ who }) => ({ status: "success", output: \`Hello \${who}\` })],
  ${fields}
});
`;

const describeAll = (recipes: readonly FileRecipe[]): string[] =>
  recipes.map((recipe) => {
    if ("loaded" in recipe) return `${recipe.file}: ${recipe.loaded.name}`;
    const { file, line, message } = recipe.problem;
    return `${recipe.file}: ${file}:${line ?? ""} ${message}`;
  });

const getLoaded = (recipe: FileRecipe | undefined) =>
  recipe && "loaded" in recipe ? recipe.loaded : undefined;

/** Starts a process that has a file checked as a server does, and then goes on. */
const startServer = (request: object): ChildProcess => {
  const program = path.resolve(".next/programs/recipe-check-process.mjs");
  const script = `
    const { fork } = require("node:child_process");
    const child = fork(${JSON.stringify(program)}, { detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"] });
    child.once("message", () => child.send(${JSON.stringify(request)}));
  `;
  return spawn(process.execPath, ["-e", script], { stdio: "ignore" });
};

const readPid = async (file: string): Promise<number> =>
  Number(await readFile(file, "utf8").catch(() => "0"));

/** True for a process that has ended, also before its parent has read its exit. */
const isAlive = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !stat.includes(") Z ");
};

const load = async (): Promise<string[]> =>
  describeAll(await createRecipeFiles(folder, { reservedNames: BUILTIN_TOOL_NAMES }).list());

describe("files of recipes", () => {
  it("are typed modules, whose parameters are zod, with imports of their own", async () => {
    await write("greet.ts", `import "./lib/words";\n${greet()}`);
    await write("lib/words.ts", "export const hello: string = 'Hello';");
    await write("notes.md", "not a recipe");
    await write("_draft.ts", "not finished");
    await write("greet.test.ts", "a test");
    const [recipe] = await createRecipeFiles(folder).list();
    if (!recipe || !("loaded" in recipe)) throw new Error(JSON.stringify(recipe));
    expect(recipe.loaded.parameters).toMatchObject({ properties: { who: { minLength: 1 } } });
    expect(recipe.loaded.parse({ who: "" })).toMatchObject([{ pointer: "/who" }]);
    expect(await load()).toEqual(["greet.ts: greet"]);
  });

  it("that are broken are skipped, with file, line and reason", async () => {
    await write("a.ts", greet());
    await write("builtin.ts", greet("", "exec"));
    await write("example.ts", greet("", "example").replace('"Ada"', "7"));
    await write("import.ts", `import "./lib/nothing";\n${greet()}`);
    await write("package.ts", `import x from "no-such-package";\nconsole.log(x);\n${greet()}`);
    await write("same-name.ts", greet());
    await write("shape.ts", "export default {\n  name: 3,\n  parameters: 7,\n  steps: [0],\n};\n");
    await write("syntax.ts", "export default {\n  a: 1,\n  b: ;\n};\n");
    await write(
      "throws.ts",
      `${greet("", "throws")}\nconst read = () => {\n  throw new Error("no disk");\n};\nread();\n`,
    );
    await write("unknown.ts", greet("colour: 1,", "unknown"));
    await write("value.ts", "export const recipe = 1;\n");
    await write(
      "schema.ts",
      `export default {
  name: "schema",
  description: "Has a JSON Schema",
  parameters: { type: "object", properties: { count: { type: "integer" } } },
  example: { count: "one" },
  steps: [["true"]],
};`,
    );
    expect(await load()).toEqual([
      "a.ts: greet",
      "builtin.ts: builtin.ts:3 /name is the name of a built-in tool.",
      expect.stringMatching(/^example\.ts: example\.ts:6 \/example\/who .*string/),
      "import.ts: import.ts:1 Could not resolve './lib/nothing' in import.ts",
      "package.ts: package.ts:1 Could not resolve 'no-such-package' in package.ts",
      'same-name.ts: same-name.ts: The name "greet" is that of the recipe of a.ts.',
      expect.stringMatching(/^schema\.ts: schema\.ts:5 \/example\/count /),
      [
        "shape.ts: shape.ts:2 /name must be a string.",
        "/description is required.",
        "/parameters must be a schema of zod, or a JSON Schema.",
        "/example is required.",
        "/steps/0 must be a function, or a command as a list of texts without NUL characters.",
      ].join("\n"),
      "syntax.ts: syntax.ts:3 Unexpected token",
      "throws.ts: throws.ts:12 Error: no disk",
      "unknown.ts: unknown.ts:8 /colour is not a known field.",
      "value.ts: value.ts: The file must have a recipe as its default export.",
    ]);
  });

  it("cannot stop the server from loading the others", async () => {
    await write("a-exits.ts", `process.exit(0);\n${greet()}`);
    await write("b-prints.ts", `console.log("x".repeat(50_000_000));\n${greet()}`);
    await write("c-rejects.ts", `void Promise.reject(new Error("later"));\n${greet()}`);
    await write(
      "d-fills.ts",
      `const all = [];\nfor (;;) all.push(new Array(1e6).fill(1));\n${greet()}`,
    );
    await write("e-good.ts", greet());
    const requests = ["a-exits", "b-prints", "c-rejects", "d-fills", "e-good"].map((name) => ({
      folder,
      file: path.join(folder, `${name}.ts`),
      outDir: path.join(folder, "out"),
      reservedNames: [],
    }));
    // None is ended for the time it takes, which depends on the machine.
    const checked = await checkFiles(requests, 60_000);
    expect(
      checked.map((result) => ("problem" in result ? result.problem.message : "good")),
    ).toEqual([
      "It ended the process that loaded it.",
      "It printed over 65536 bytes while it was loaded.",
      "Error: later",
      "It ended the process that loaded it.",
      "good",
    ]);
  });

  it("that loop while they are loaded are ended, with what they have started", async () => {
    await write("loops.ts", `for (;;) {}\n${greet()}`);
    await write("waits.ts", `await new Promise(() => setInterval(() => 1, 1e6));\n${greet()}`);
    const requests = ["loops", "waits"].map((name) => ({
      folder,
      file: path.join(folder, `${name}.ts`),
      outDir: path.join(folder, "out"),
      reservedNames: [],
    }));
    const checked = await checkFiles(requests, 1_000);
    const message = "It took longer than 1 s to load.";
    expect(checked).toMatchObject([{ problem: { message } }, { problem: { message } }]);
  });

  it("that loop while they are loaded end with the server", async () => {
    await write("loops.ts", "for (;;) {}");
    const request = {
      folder,
      file: path.join(folder, "loops.ts"),
      outDir: folder,
      reservedNames: [],
    };
    const before = process.listeners("exit");
    const checking = checkFiles([request], 10_000);
    const onExit = process.listeners("exit").find((listener) => !before.includes(listener));
    onExit?.(0);
    const message = "The process that checks recipes did not start.";
    expect(await checking).toMatchObject([{ problem: { message } }]);
    expect(process.listeners("exit")).not.toContain(onExit);
  });

  it("that loop while they are loaded end after a server that was killed", async () => {
    const marker = path.join(folder, "looping");
    await write(
      "loops.ts",
      `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, String(process.pid));\nfor (;;) {}`,
    );
    const request = {
      folder,
      file: path.join(folder, "loops.ts"),
      outDir: folder,
      reservedNames: [],
    };
    const server = startServer(request);
    await expect.poll(() => readPid(marker)).toBeGreaterThan(0);
    const pid = await readPid(marker);
    try {
      server.kill("SIGKILL");
      await once(server, "exit");
      await expect.poll(() => isAlive(pid)).toBe(false);
    } finally {
      if (await isAlive(pid)) process.kill(pid, "SIGKILL");
    }
  });

  it("are not read if they are too long, no files, or outside of the folder", async () => {
    const outside = await mkdtemp(path.join(tmpdir(), "parley-outside-"));
    await writeFile(path.join(outside, "recipe.ts"), greet());
    await write("a-long.ts", `${greet()}// ${"x".repeat(50 * 1024 * 1024)}`);
    await mkdir(path.join(folder, "b-folder.ts"));
    await symlink(path.join(outside, "recipe.ts"), path.join(folder, "c-link.ts"));
    await symlink("nowhere.ts", path.join(folder, "d-lost.ts"));
    await symlink("/dev/zero", path.join(folder, "e-device.ts"));
    await symlink("lib/inner.ts", path.join(folder, "f-inside.ts"));
    await write("lib/inner.ts", greet());
    expect(await load()).toEqual([
      "a-long.ts: a-long.ts: It is over 1048576 bytes.",
      "b-folder.ts: b-folder.ts: It is a folder, not a file.",
      "c-link.ts: c-link.ts: It is a link to a place outside of the folder.",
      "d-lost.ts: d-lost.ts: There is no such file.",
      "e-device.ts: e-device.ts: It is a link to a place outside of the folder.",
      "f-inside.ts: greet",
    ]);
    await rm(outside, { recursive: true });
  });

  it("are listed up to a number, without a look at the others", async () => {
    const names = Array.from(
      { length: 503 },
      (_, index) => `r${String(index).padStart(3, "0")}.ts`,
    );
    for (const name of names) await symlink("nowhere.ts", path.join(folder, name));
    const listed = await listRecipeFiles(folder);
    expect(listed).toHaveLength(501);
    expect(listed.at(-1)).toMatchObject({
      name: "r500.ts",
      problem: "It is not loaded, nor are the 2 files after it, as a folder may have 500 recipes.",
    });
  });

  it("say why they cannot be read", async () => {
    const denied = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    expect(describeReadError("file", denied)).toBe("The server may not read this file.");
    const missing = path.join(folder, "missing");
    expect(describeAll(await createRecipeFiles(missing).list())).toEqual([
      `${missing}: ${missing}: There is no such folder.`,
    ]);
    expect(await createRecipeFiles(undefined).list()).toEqual([]);
  });
});

describe("changes of files", () => {
  it("are loaded, also those of what a file imports; what is the same stays the same", async () => {
    await write("greet.ts", `import { name } from "./lib/name";\n${greet("systemPrompt: name,")}`);
    await write("lib/name.ts", "export const name = String('first');");
    await write("other.ts", greet("", "other"));
    const changes: string[][] = [];
    const files = createRecipeFiles(folder, {
      onChange: (recipes) => changes.push(describeAll(recipes)),
    });
    const first = await files.list();
    await files.refresh();
    expect(await files.list()).toBe(first);
    await write("lib/name.ts", "export const name = String('second');");
    await files.refresh();
    const [changed, other] = await files.list();
    expect(changed).toMatchObject({ loaded: { systemPrompt: "second" } });
    expect(getLoaded(other)).toBe(getLoaded(first[1]));
    await rename(path.join(folder, "other.ts"), path.join(folder, "renamed.ts"));
    await rm(path.join(folder, "greet.ts"));
    await files.refresh();
    expect(await files.list()).toMatchObject([{ file: "renamed.ts" }]);
    expect(changes).toHaveLength(3);
  });

  it("that repair a file are seen; a reload loads all files again", async () => {
    await write("greet.ts", "export default");
    const files = createRecipeFiles(folder);
    expect(await files.list()).toMatchObject([{ problem: { line: 1 } }]);
    await write("greet.ts", greet());
    await files.refresh();
    const [before] = await files.list();
    expect(before).toMatchObject({ loaded: { name: "greet" } });
    const past = new Date(0);
    await utimes(path.join(folder, "greet.ts"), past, past);
    await files.reload();
    expect(getLoaded((await files.list())[0])).toBe(getLoaded(before));
  });

  it("in the future, by the clock of another computer, do not load a file for ever", async () => {
    const loads = path.join(folder, "loads");
    const count = `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(loads)}, "x");\n`;
    await write("greet.ts", count + greet());
    const future = new Date(Date.now() + 3_600_000);
    await utimes(path.join(folder, "greet.ts"), future, future);
    const files = createRecipeFiles(folder);
    await files.list();
    await files.refresh();
    const loaded = await readFile(loads, "utf8");
    await files.refresh();
    expect(await readFile(loads, "utf8")).toBe(loaded);
    await write("greet.ts", greet("", "changed"));
    await utimes(path.join(folder, "greet.ts"), future, future);
    await files.refresh();
    expect(await files.list()).toMatchObject([{ loaded: { name: "changed" } }]);
  });

  it("that are not of a broken file are seen later", async () => {
    await write("greet.ts", `import { name } from "./lib/name";\n${greet("systemPrompt: name,")}`);
    const files = createRecipeFiles(folder, { firstLoadMs: 30_000, retryMs: 0 });
    expect(await files.list()).toMatchObject([{ problem: { line: 1 } }]);
    await write("lib/name.ts", "export const name = String('found');");
    await files.refresh();
    expect(await files.list()).toMatchObject([{ loaded: { systemPrompt: "found" } }]);
  });

  it("of what a file imported before it broke are seen", async () => {
    await write("greet.ts", `import { name } from "./lib/name";\n${greet("systemPrompt: name,")}`);
    await write("lib/name.ts", "export const name = String('sound');");
    const files = createRecipeFiles(folder);
    await files.list();
    await write("lib/name.ts", "export const name = String(process.exit(0));");
    await files.refresh();
    expect(await files.list()).toMatchObject([{ problem: { file: "greet.ts" } }]);
    await age("greet.ts", "lib/name.ts");
    await files.refresh();
    await write("lib/name.ts", "export const name = String('mended');");
    await files.refresh();
    expect(await files.list()).toMatchObject([{ loaded: { systemPrompt: "mended" } }]);
  });

  it("do not hold up a turn for ever", async () => {
    await write("greet.ts", greet());
    const files = createRecipeFiles(folder, { firstLoadMs: 1, retryMs: 30_000 });
    expect(await files.list()).toEqual([]);
    await files.refresh();
    expect(await files.list()).toMatchObject([{ loaded: { name: "greet" } }]);
  });
});
