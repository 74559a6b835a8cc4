import type { ExampleFolder, ExampleProgram } from "./example-programs";
import type { TestServer } from "./server";

/** Tools whose effect is a line of the file `effects`. A call ends when the file `go`, or `go-<holder>`, exists. */
export const TOOLS = `
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const { HOLDER } = process.env;
const work = async (key, signal) => {
  appendFileSync("effects", HOLDER + " " + key + "\\n");
  while (!existsSync("go") && !existsSync("go-" + HOLDER)) await pause(20, undefined, { signal });
  return HOLDER;
};
export const hold = { run: (args, { key, signal }) => work(key, signal) };
export const hold_again = { repeatable: true, run: hold.run };
`;

/** Starts the example on tools that are in the folder. */
export const startRunner = (
  folder: ExampleFolder,
  { url, apiKey }: Pick<TestServer, "url" | "apiKey">,
  env: { HOLDER: string } & Record<string, string>,
  tools = "tools.mjs",
): ExampleProgram =>
  folder.start("polling-runner/runner.mjs", [tools], {
    PARLEY_URL: url,
    PARLEY_API_KEY: apiKey,
    JOURNAL: `journal-${env.HOLDER}`,
    ...env,
  });
