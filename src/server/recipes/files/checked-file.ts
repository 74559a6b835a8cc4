/** Why a file has no recipe, and where. */
export type FileProblem = {
  /** Relative to the folder of recipes; absolute outside of it. */
  file: string;
  line?: number;
  /** A predicate or a sentence. */
  message: string;
};

/** What the process that checks files is asked. */
export type CheckRequest = {
  /** The folder of recipes. */
  folder: string;
  /** An absolute path. */
  file: string;
  /** Where bundles are written. */
  outDir: string;
  /** Names that no recipe can have. */
  reservedNames: readonly string[];
};

/** What was found in a file. */
export type CheckedFile = {
  /** The files that the result depends on, absolute. */
  inputs: string[];
} & ({ bundle: { path: string; hash: string } } | { problem: FileProblem });

/** What the process sends: that it can be asked, then a result for each request. */
export type CheckMessage = { ready: true } | { checked: CheckedFile };
