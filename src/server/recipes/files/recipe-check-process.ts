import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { getErrorMessage } from "@/lib/error-message";
import type { FieldError } from "@/contract/problem";
import { findNameProblems } from "@/server/recipes/declared-recipe";
import { loadRecipe } from "@/server/recipes/load-recipe";
import { bundleRecipe } from "./bundle-recipe";
import type { CheckedFile, CheckMessage, CheckRequest, FileProblem } from "./checked-file";
import { findFieldLine, findThrownLine } from "./find-line";
import { importModule } from "./import-module";
import { toShownPath } from "./shown-path";

// Loads files of recipes before the server does: one that throws, loops or ends the process only ends this one.

const send = (message: CheckMessage): void => void process.send?.(message);

/** Handles an error that the checked file throws outside of its import, such as in a promise without a handler. */
let onStrayError: ((error: unknown) => void) | undefined;
process.on("uncaughtException", (error) => onStrayError?.(error));
process.on("unhandledRejection", (error) => onStrayError?.(error));

const check = async (request: CheckRequest): Promise<CheckedFile> => {
  const checked = await bundleRecipe(request).catch((error: unknown) => fail(request, error));
  if ("problem" in checked) return checked;
  const { promise: stray, reject } = Promise.withResolvers<never>();
  onStrayError = reject;
  try {
    const problem = await Promise.race([tryModule(request, checked.bundle.path), stray]);
    return problem ? { inputs: checked.inputs, problem } : checked;
  } catch (error) {
    return { ...fail(request, error), inputs: checked.inputs };
  } finally {
    onStrayError = undefined;
  }
};

const tryModule = async (
  { folder, file, reservedNames }: CheckRequest,
  bundle: string,
): Promise<FileProblem | undefined> => {
  const module = await importModule(bundle);
  const loaded = await loadRecipe(module.default);
  await setImmediate();
  const problems = Array.isArray(loaded) ? loaded : findNameProblems(loaded.name, reservedNames);
  if (problems.length === 0) return undefined;
  const line = findFieldLine(await readFile(file, "utf8"), problems[0]?.pointer ?? "");
  return {
    file: toShownPath(folder, file),
    ...(line !== undefined && { line }),
    message: problems.map(describeField).join("\n"),
  };
};

const describeField = ({ pointer, message }: FieldError): string =>
  pointer === "" ? `${message}.` : `${pointer} ${message}.`;

const fail = ({ folder, file }: CheckRequest, error: unknown): CheckedFile => {
  const place = findThrownLine(error, file);
  const message =
    error instanceof Error ? `${error.name}: ${error.message}` : getErrorMessage(error);
  return { inputs: [file], problem: { file: toShownPath(folder, file), ...place, message } };
};

process.on("message", (request: CheckRequest) => {
  check(request).then(
    (checked) => send({ checked }),
    () => process.exit(1),
  );
});
process.once("disconnect", () => process.exit());

/** How long a file that loops may survive a server that was killed, in milliseconds. */
const WATCH_MS = 500;
/** In a thread, as a loop keeps this one from noticing that the parent is gone. The process leads its group. */
const watchParent = `
  const { workerData } = require("node:worker_threads");
  setInterval(() => {
    if (process.ppid !== workerData) process.kill(-process.pid, "SIGKILL");
  }, ${WATCH_MS});
`;
new Worker(watchParent, { eval: true, workerData: process.ppid }).unref();

send({ ready: true });
