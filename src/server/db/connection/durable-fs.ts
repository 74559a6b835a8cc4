import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs";
import path from "node:path";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type OpenFile = { nfd?: number };
/** The part of Emscripten's module that PGlite's types leave out. */
type WithNodeFs = { NODEFS: { stream_ops: { fsync?: (file: OpenFile) => number } } };

/**
 * PGlite's directory with a working fsync. Without it, an acknowledged commit may be only in the
 * memory of the operating system.
 */
export const createDurableFs = (directory: string): NodeFS => {
  const fs = new NodeFS(directory);
  const init = fs.init.bind(fs);
  fs.init = async (...parameters) => {
    const options = await init(...parameters);
    (options.emscriptenOpts.preRun ??= []).push((module) => {
      (module as unknown as WithNodeFs).NODEFS.stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) fsyncSync(nfd);
        return 0;
      };
    });
    return options;
  };
  return fs;
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
