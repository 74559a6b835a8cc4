// Plain JavaScript without dependencies: it runs on the machine's own Node, before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { runProgram } from "./run-program.mjs";

const root = join(import.meta.dirname, "..");
const MINIMUM_NODE = [22, 18];

const readPackages = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages;

/** npm itself writes down what it installed, so an installation made by hand counts as well. */
const isInstalled = () => {
  if (!existsSync(join(root, "node_modules/.package-lock.json"))) return false;
  const installed = readPackages("node_modules/.package-lock.json");
  return Object.entries(readPackages("package-lock.json")).every(
    ([path, { version, optional, peer, extraneous }]) =>
      path === "" || optional || peer || extraneous || installed[path]?.version === version,
  );
};

const install = async () => {
  console.log("Installing packages …");
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const [command, ...first] = npm && node ? [node, npm] : ["npm"];
  // The build needs everything, also where the environment says production.
  const options = ["--include=dev", "--include=optional", "--no-audit", "--loglevel=error"];
  const code = await runProgram(command, [...first, "ci", ...options]);
  if (code !== 0) process.exit(code);
};

const isNewEnough = (node) => {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  const [major, minor] = (stdout ?? "").slice(1).split(".").map(Number);
  return major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1]);
};

/**
 * Installs the packages of the lock file unless they are there.
 *
 * @returns path of the Node to go on with: the one that npm installed where there is one
 * for the platform, else the machine's.
 */
export const ensureInstalled = async () => {
  if (!isInstalled()) await install();
  // Not by its link in `.bin`, which npm 10 does not make.
  const shipped = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  const candidates = existsSync(shipped) ? [shipped] : [];
  const node = [...candidates, process.execPath].find(isNewEnough);
  if (node) {
    // Tools that begin with `env node` run on the same.
    process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`;
    return node;
  }
  console.error(
    `Node ${process.versions.node} is too old and npm has none for this platform: install Node 24 (https://nodejs.org).`,
  );
  process.exit(1);
};
