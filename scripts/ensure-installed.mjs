// Plain JavaScript without dependencies: it runs on the machine's own Node, before packages exist.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { runProgram } from "./run-program.mjs";

const root = join(import.meta.dirname, "..");
const MINIMUM_NODE = [22, 18];

const readPackages = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages;

/** Reads what npm recorded, so that a manual installation counts too. */
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
  // The build needs all packages, even with NODE_ENV=production.
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
 * Installs the packages of the lock file, unless they are installed.
 *
 * @returns path of the Node for all further programs: npm's package for the platform if there is
 * one, else the machine's.
 */
export const ensureInstalled = async () => {
  if (!isInstalled()) await install();
  // npm 10 creates no link in `.bin` for it.
  const packagedNode = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  const candidates = existsSync(packagedNode) ? [packagedNode] : [];
  const node = [...candidates, process.execPath].find(isNewEnough);
  if (node) {
    // Tools that start with `env node` use the same one.
    process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`;
    return node;
  }
  console.error(
    `Node ${process.versions.node} is too old, and npm has no Node for this platform: install Node 24 (https://nodejs.org).`,
  );
  process.exit(1);
};
