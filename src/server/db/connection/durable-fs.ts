import { chmodSync, closeSync, fsyncSync, openSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type OpenFile = { nfd?: number };
/** The part of Emscripten's module that PGlite's types leave out. */
type WithNodeFs = {
  NODEFS: {
    stream_ops: { fsync?: (file: OpenFile) => number };
    node_ops: { setattr: (node: unknown, attributes: { mode?: number }) => void };
  };
};

/** All rights of the group and of others. */
const RIGHTS_OF_OTHERS = 0o077;

/**
 * PGlite's directory with a working fsync, and files that only this account may read. Without the first, an acknowledged
 * commit may be only in the memory of the operating system; Emscripten sets the mode of each new file whatever the umask is.
 */
export const createDurableFs = (directory: string): NodeFS => {
  const fs = new NodeFS(directory);
  const init = fs.init.bind(fs);
  fs.init = async (...parameters) => {
    const options = await init(...parameters);
    (options.emscriptenOpts.preRun ??= []).push((module) => {
      const { stream_ops: streams, node_ops: nodes } = (module as unknown as WithNodeFs).NODEFS;
      streams.fsync = ({ nfd }) => {
        if (nfd !== undefined) fsyncSync(nfd);
        return 0;
      };
      const setAttributes = nodes.setattr;
      nodes.setattr = (node, { mode, ...others }) => {
        const own = mode === undefined ? {} : { mode: mode & ~RIGHTS_OF_OTHERS };
        setAttributes(node, { ...others, ...own });
      };
    });
    return options;
  };
  return fs;
};

/**
 * Takes the rights of other accounts from a directory and everything in it, but not from what a link leads to.
 *
 * @throws {Error} when something in it belongs to another account.
 */
export const makeTreePrivate = (directory: string): void => {
  makePrivate(directory);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const child = path.join(directory, entry.name);
    if (entry.isDirectory()) makeTreePrivate(child);
    else if (entry.isFile()) makePrivate(child);
  }
};

const makePrivate = (file: string): void => {
  const { mode } = statSync(file);
  if ((mode & RIGHTS_OF_OTHERS) !== 0) chmodSync(file, mode & 0o777 & ~RIGHTS_OF_OTHERS);
};

/** Flushes a directory and everything in it to the disk. */
export const syncTree = (directory: string): void => {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const child = path.join(directory, entry.name);
    if (entry.isDirectory()) syncTree(child);
    else if (entry.isFile()) syncPath(child);
  }
  syncPath(directory);
};

/** Flushes one file, or the entries of a directory, to the disk. */
export const syncPath = (file: string): void => {
  const descriptor = openSync(file, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
