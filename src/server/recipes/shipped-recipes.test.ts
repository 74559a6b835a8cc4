import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { FetchedPage } from "@/recipes/recipe";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { findTestSandbox } from "@/test/exec-fixture";
import { trackAlone } from "@/server/tools/workspace/tracked-disk";
import { createRecipeCaller } from "@/test/recipe-fixture";
import { recordedDeps } from "@/test/tool-fixture";
import { createFetchPage } from "./fetch-page";
import { createRecipeFiles } from "./files/recipe-files";
import type { LoadedRecipe } from "./loaded-recipe";

let sandbox: Sandbox;
let directory: string;

beforeAll(async () => {
  sandbox = await findTestSandbox();
});
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "parley-shipped-"));
  // No engine of this machine takes part; `findTestSandbox` has found its programs.
  await useEngine("exit 1");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

/** Puts a script in the place of the container engine. */
const useEngine = async (script: string): Promise<void> => {
  await mkdir(path.join(directory, "bin"), { recursive: true });
  for (const name of ["docker", "podman"]) {
    await writeFile(path.join(directory, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  vi.stubEnv("PATH", `${directory}/bin:/usr/bin:/bin`);
};

/** Loads the files anew, so that they look for an engine again. */
const loadShipped = async (name: string): Promise<LoadedRecipe> => {
  const files = await createRecipeFiles(path.resolve("recipes")).list();
  const found = files.find((file) => "loaded" in file && file.loaded.name === name);
  if (!found || !("loaded" in found)) throw new Error(JSON.stringify(files));
  return found.loaded;
};

describe("the shipped recipes", () => {
  it("are all sound", async () => {
    const files = await createRecipeFiles(path.resolve("recipes")).list();
    expect(files.map((file) => ("loaded" in file ? file.loaded.name : file))).toEqual([
      "code_runner",
      "http_get",
      "run_tests",
    ]);
  });
});

describe("code_runner", () => {
  it("runs code in the sandbox where there is no engine, without network", async () => {
    const caller = createRecipeCaller(sandbox);
    const loaded = await loadShipped("code_runner");
    const code = 'printf "%s" \'$HOME ${x} "a"\'; grep -c : /proc/net/dev';
    expect(await caller.runLoaded(loaded, { args: { language: "sh", code } })).toMatchObject({
      state: "completed",
      output: '$HOME ${x} "a"1\n',
    });
    const failing = { language: "sh", code: "echo no >&2; exit 3" };
    expect(await caller.runLoaded(loaded, { args: failing })).toMatchObject({
      state: "error",
      output: 'The program has failed.\n\nThe command "sh" ended with exit code 3.\nno',
    });
    for (const [language, program] of [
      ["python", "python3"],
      ["javascript", "node"],
    ]) {
      const args = { language: language ?? "", code: "1" };
      const { call } = await caller.prepare(loaded, { args });
      expect(call).toMatchObject({ approvalScope: { commands: [[program, "/call/file"]] } });
    }
  });

  it("runs code in a container where there is an engine", async () => {
    await useEngine(`[ "$1" = info ] && exit 0\necho "$@" >${directory}/args; exec cat`);
    const loaded = await loadShipped("code_runner");
    const args = { language: "python", code: "print('Hi')" };
    expect(await createRecipeCaller(sandbox).runLoaded(loaded, { args })).toMatchObject({
      state: "completed",
      output: "print('Hi')",
    });
    const started = await readFile(path.join(directory, "args"), "utf8");
    expect(started).toMatch(
      /^run --rm -i --name=parley-\S+ --network=none .*--read-only .*--cap-drop=ALL .*docker.io\/library\/python:3-slim sh -c .* sh 130 python -\n$/,
    );
    expect(started.split(" ")).toEqual(
      expect.arrayContaining([
        "--memory=512m",
        "--memory-swap=512m",
        "--log-driver=none",
        "--security-opt=no-new-privileges",
      ]),
    );
  });

  it("removes the container at Stop, and reports what a container printed before it failed", async () => {
    await useEngine(
      `case "$1" in info) exit 0;; rm) echo "$@" >>${directory}/removed; exit 0;; esac\nread line; echo "$line"; [ "$line" = stop ] || exit 125; sleep 60 & echo $! >${directory}/pid; wait`,
    );
    const loaded = await loadShipped("code_runner");
    const caller = createRecipeCaller(sandbox);
    const failed = await caller.runLoaded(loaded, { args: { language: "sh", code: "no\n" } });
    expect(failed).toMatchObject({
      state: "error",
      output: "The program has failed.\n\nExit code 125\nno\n",
    });
    const recorded = recordedDeps();
    const args = { language: "sh", code: "stop\n" };
    const running = caller.runLoaded(loaded, { args, recorded });
    await expect.poll(() => recorded.ops.length).toBeGreaterThan(0);
    recorded.abort("interrupted");
    expect(await running).toMatchObject({ state: "cancelled" });
    // Once more when the client has ended, which may have created it meanwhile.
    await expect
      .poll(() => readFile(path.join(directory, "removed"), "utf8").catch(() => ""))
      .toMatch(/^(?:rm --force parley-\S+\n){2}$/);
    process.kill(Number(await readFile(path.join(directory, "pid"), "utf8")), "SIGKILL");
  });
});

describe("run_tests", () => {
  it("runs the tests of the chat's files, with arguments as they are", async () => {
    const workspace = path.join(directory, "workspace");
    await mkdir(workspace, { mode: 0o700 });
    await writeFile(
      path.join(workspace, "Makefile"),
      "test:\n\t@echo ran in $$(pwd); test -z '$(FAIL)'\n",
    );
    const entered = {
      directory: workspace,
      cwd: "",
      maxBytes: 1e9,
      measure: () => Promise.resolve(0),
      track: trackAlone,
    };
    const openWorkspace = () => ({ enter: () => Promise.resolve(entered) }) as never;
    const caller = createRecipeCaller(sandbox, { openWorkspace });
    const loaded = await loadShipped("run_tests");
    const passed = await caller.runLoaded(loaded, { args: { runner: "make" } });
    expect(passed).toMatchObject({
      state: "completed",
      output: "The tests have passed.\n\nran in /workspace\n",
    });
    const args = { runner: "make", args: ["FAIL=a b"] };
    const failed = await caller.runLoaded(loaded, { args });
    expect(failed.state).toBe("error");
    expect(failed.output).toContain("The tests have failed, or could not be run.");
    const { call } = await caller.prepare(loaded, { args: { runner: "npm", args: ["$x"] } });
    expect(call).toMatchObject({ approvalScope: { commands: [["npm", "test", "--", "$x"]] } });
  });
});

describe("http_get", () => {
  const page: FetchedPage = {
    url: "https://example.org/final",
    status: 200,
    headers: { "content-type": "application/json", server: "x" },
    text: "{}",
    isCut: true,
  };

  it("returns the status, the headers that matter and the body", async () => {
    const fetchPage = vi.fn(() => Promise.resolve(page));
    const loaded = await loadShipped("http_get");
    const caller = createRecipeCaller(sandbox, { fetchPage });
    expect(await caller.runLoaded(loaded, { args: loaded.example })).toMatchObject({
      state: "completed",
      output:
        "200 https://example.org/final\ncontent-type: application/json\n\n{}\n[… the rest of the body was not read …]",
    });
    expect(fetchPage).toHaveBeenCalledWith(
      "https://example.org/data.json",
      { accept: "application/json" },
      expect.any(AbortSignal),
    );
    fetchPage.mockResolvedValueOnce({ ...page, status: 404 });
    expect(await caller.runLoaded(loaded, { args: loaded.example })).toMatchObject({
      state: "error",
    });
  });

  it.each([
    "http://127.0.0.1:8080/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]:8080/",
    "http://10.0.0.1/",
    "http://localhost:8080/",
  ])("does not reach %s", async (url) => {
    const loaded = await loadShipped("http_get");
    const caller = createRecipeCaller(sandbox, { fetchPage: createFetchPage(0) });
    const outcome = await caller.runLoaded(loaded, { args: { url } });
    expect(outcome.state).toBe("error");
    expect(outcome.output).toMatch(
      /(has no public address, and tools reach no other ones|is a name of a private network, which tools do not reach)\.$/,
    );
  });

  it("takes no other kind of URL", async () => {
    const loaded = await loadShipped("http_get");
    expect(loaded.parse({ url: "file:///etc/passwd" })).toMatchObject([{ pointer: "/url" }]);
  });
});
