import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import type { StepResult } from "parley/recipes";

const ENGINES = ["docker", "podman"] as const;
type Engine = (typeof ENGINES)[number];

/** An engine that does not answer in this time is none. */
const MAX_LOOKUP_MS = 2_000;
/** An engine may be installed or started while the server runs. */
const LOOKUP_AGAIN_MS = 60_000;
/** Output that is kept: its end, in UTF-16 units. */
const MAX_OUTPUT = 512 * 1024;

let found: { engine: Promise<Engine | undefined>; at: number } | undefined;

/** Finds an engine that runs containers here. */
export const findEngine = (): Promise<Engine | undefined> => {
  const now = performance.now();
  if (!found || now - found.at > LOOKUP_AGAIN_MS) found = { engine: lookUp(), at: now };
  return found.engine;
};

const lookUp = async (): Promise<Engine | undefined> => {
  const answers = await Promise.all(ENGINES.map(isRunning));
  return ENGINES.find((_, index) => answers[index]);
};

const isRunning = async (engine: Engine): Promise<boolean> => {
  try {
    // The command fails where the program is there and its service is not.
    await promisify(execFile)(engine, ["info"], { timeout: MAX_LOOKUP_MS });
    return true;
  } catch {
    return false;
  }
};

/** Resources of a container. Swap counts as memory, and nothing but the client here reads what it prints. */
const LIMITS = [
  "--network=none",
  "--memory=512m",
  "--memory-swap=512m",
  "--cpus=1",
  "--pids-limit=128",
  "--read-only",
  "--log-driver=none",
];
const ACCOUNT = [
  "--tmpfs=/tmp",
  "--workdir=/tmp",
  "--user=65534:65534",
  "--cap-drop=ALL",
  "--security-opt=no-new-privileges",
];
/** A call that times out is ended from outside first, with a better message. */
const EXTRA_SECONDS = 10;

type ContainerOptions = {
  image: string;
  command: readonly string[];
  /** What the call may take; the container ends a little later, even if nobody is there to remove it. */
  timeoutSeconds: number;
  input: string;
  signal: AbortSignal;
  emit: (text: string) => void;
};

/** Runs a command in a new container without network, and removes the container at the end, whatever that is. */
export const runInContainer = async (
  engine: Engine,
  { image, command, timeoutSeconds, input, signal, emit }: ContainerOptions,
): Promise<StepResult> => {
  const name = `parley-${randomUUID()}`;
  const program = withTimeout(command, timeoutSeconds + EXTRA_SECONDS);
  const args = ["run", "--rm", "-i", `--name=${name}`, ...LIMITS, ...ACCOUNT, image, ...program];
  const child = spawn(engine, args, { stdio: ["pipe", "pipe", "pipe"] });
  const remove = (onEnd: () => void): void =>
    void execFile(engine, ["rm", "--force", name], () => onEnd());
  // Ending the client of an engine does not end its container.
  const kill = (): void => remove(() => child.kill("SIGKILL"));
  // A container that the client was still creating was not there to be removed before.
  child.once("exit", () => {
    if (signal.aborted) remove(() => undefined);
  });
  signal.addEventListener("abort", kill, { once: true });
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      texts[stream] = (texts[stream] + text).slice(-MAX_OUTPUT);
      emit(text);
    });
  }
  child.stdin.on("error", () => undefined).end(input);
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 1));
    });
    if (exitCode === 0) return { status: "success", output: texts.stdout || texts.stderr };
    const output = `Exit code ${exitCode}\n${texts.stderr}${texts.stdout}`;
    return { status: "error", output };
  } finally {
    signal.removeEventListener("abort", kill);
  }
};

/** The shell stays the first process of the container, which the kernel would protect from the signal. */
const withTimeout = (command: readonly string[], seconds: number): string[] => [
  "sh",
  "-c",
  'timeout -s KILL "$@"; exit $?',
  "sh",
  String(seconds),
  ...command,
];
