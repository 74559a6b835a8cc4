import * as z from "zod";
import { FoundLines } from "@/contract/found-lines";
import { defineTool } from "@/server/tools/tool";
import { jsonResult, ToolFailure, withTruncation } from "@/server/tools/tool-result";
import type { ProgramLocation, Workspace, WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { WORKSPACE_PATH } from "@/server/tools/workspace/shown-path";
import { quotePath } from "@/server/tools/workspace/workspace-path";
import { findRipgrep, type RipgrepMatch, runRipgrep } from "./ripgrep";

const MAX_MATCHES = 100;
const MAX_MATCHES_PER_FILE = 50;
const TIMEOUT_MS = 30_000;
/** Far longer than a useful pattern; a program's arguments have a limit, too. */
const MAX_PATTERN_LENGTH = 1_000;
/** Longest part of a line that is shown, in bytes. */
const MAX_SHOWN_LINE_BYTES = 400;
/** What is shown before the match of a line that is longer, in bytes. */
const SHOWN_BEFORE_MATCH_BYTES = 100;
/** Largest file that is searched when it is named: a directory's binary files end the search of them at once. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

type SearchInput = {
  pattern: string;
  path?: string | undefined;
  glob?: string | undefined;
  literal?: boolean | undefined;
  ignore_case?: boolean | undefined;
  include_ignored?: boolean | undefined;
};

export const createSearchFilesTool = ({ openWorkspace }: WorkspaceDeps) => {
  const ripgrep = findRipgrep();
  return defineTool({
    name: "search_files",
    description:
      "Finds the lines of this chat's text files that match a regular expression, with ripgrep. Hidden files and those that .gitignore names are left out unless include_ignored is true.",
    example: { pattern: "TODO" },
    agentTypes: ["explore"],
    output: FoundLines,
    input: z.object({
      pattern: z
        .string()
        .min(1)
        .max(MAX_PATTERN_LENGTH)
        .describe("A regular expression in ripgrep's syntax; it matches within one line."),
      path: z
        .string()
        .optional()
        .describe("The file or directory to search; the whole workspace when left out."),
      glob: z
        .string()
        .min(1)
        .max(MAX_PATTERN_LENGTH)
        .optional()
        .describe('Search only files like this, such as "*.ts" or "src/**/*.md".'),
      literal: z
        .boolean()
        .optional()
        .describe("Take the pattern as plain text; false when left out."),
      ignore_case: z.boolean().optional().describe("False when left out."),
      include_ignored: z
        .boolean()
        .optional()
        .describe("Search hidden and ignored files, too; false when left out."),
    }),
    unavailable:
      ripgrep === undefined
        ? "ripgrep is not installed: run npm install without --omit=optional on a platform that @vscode/ripgrep has binaries for."
        : undefined,
    run: async (context, input) => {
      if (ripgrep === undefined) throw new ToolFailure("ripgrep is not installed.");
      if (/[\0\n\r]/.test(input.pattern) || input.glob?.includes("\0")) {
        throw new ToolFailure("A pattern must not contain line breaks or NUL characters.");
      }
      const { path = "." } = input;
      const workspace = openWorkspace(context);
      const found = await workspace.locate(path, (location) => {
        if (location.size > MAX_FILE_BYTES) {
          throw new ToolFailure(
            `${quotePath(path)} has ${location.size} bytes, and files of more than ${MAX_FILE_BYTES} bytes are not searched.`,
          );
        }
        return collectMatches(workspace, ripgrep, { input, location, signal: context.signal });
      });
      const output = toOutput(found ?? { files: new Map() }, input);
      const hasMore = output.files.some(({ has_more }) => has_more);
      return withTruncation(jsonResult(output), found?.endNote === TOO_MANY || hasMore);
    },
  });
};

type FileMatches = FoundLines["files"][number];

type Found = {
  files: Map<string, FileMatches>;
  /** Why the search ended early, as a sentence. */
  endNote?: string | undefined;
  /** Files with matches in lines that are too long to be shown. */
  longLines?: Set<string>;
};

type Search = { input: SearchInput; location: ProgramLocation; signal: AbortSignal };

const collectMatches = async (
  workspace: Workspace,
  ripgrep: string,
  { input, location, signal }: Search,
): Promise<Found> => {
  const files: Found["files"] = new Map();
  const longLines = new Set<string>();
  let count = 0;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const run = {
    args: toArguments(input, location.path),
    cwd: location.cwd,
    signal: AbortSignal.any([signal, timeout]),
  };
  for await (const match of runRipgrep(ripgrep, run)) {
    const path = match.path.replace(/^\.\//, "");
    const file = files.get(path) ?? { path, matches: [] };
    if (match.bytes === undefined) longLines.add(path);
    else if (file.matches.length === MAX_MATCHES_PER_FILE) file.has_more = true;
    else if (count === MAX_MATCHES) return { files, longLines, endNote: TOO_MANY };
    else if (await isInWorkspace(workspace, path, match)) {
      file.matches.push({ line: match.line, text: toShownLine(match) });
      files.set(path, file);
      count += 1;
    }
  }
  signal.throwIfAborted();
  return { files, longLines, endNote: timeout.aborted ? TOO_SLOW : undefined };
};

const TOO_MANY = `Only the first ${MAX_MATCHES} matches are here. Narrow the pattern, the path or the glob.`;
const TOO_SLOW = `The search was stopped after ${TIMEOUT_MS / 1_000} seconds. Narrow the path or the glob.`;

/** A glob for paths that a command in a sandbox prints; ripgrep's globs begin at the workspace. */
const toWorkspaceGlob = (glob: string): string => {
  const negation = glob.startsWith("!") ? "!" : "";
  const path = glob.slice(negation.length);
  return path.startsWith(`${WORKSPACE_PATH}/`)
    ? `${negation}${path.slice(WORKSPACE_PATH.length)}`
    : glob;
};

const toArguments = (
  { pattern, glob, literal, ignore_case, include_ignored }: SearchInput,
  path: string,
): string[] => [
  "--no-config",
  "--no-messages",
  "--no-ignore-messages",
  // A sorted search is the same each time; it has one thread.
  "--sort=path",
  "--crlf",
  // Offsets are those of the file, which a conversion would change.
  "--encoding=none",
  // Rules of the host's directories and users are not for the workspace, and it need not be a repository.
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-require-git",
  // One more than is shown shows that there are more.
  `--max-count=${MAX_MATCHES_PER_FILE + 1}`,
  // Without rules of parents, a subdirectory would be searched without those of the root.
  ...(include_ignored ? ["--no-ignore", "--hidden"] : ["--ignore-file=.gitignore"]),
  ...(ignore_case ? ["--ignore-case"] : []),
  ...(literal ? ["--fixed-strings"] : []),
  ...(glob === undefined ? [] : [`--glob=${toWorkspaceGlob(glob)}`]),
  `--regexp=${pattern}`,
  "--",
  `./${path}`,
];

/**
 * A directory may have been replaced by a link out of the workspace while ripgrep read it. So what it
 * found counts only if the workspace's own file has the same bytes at that place.
 */
const isInWorkspace = async (
  workspace: Workspace,
  path: string,
  { bytes, position }: RipgrepMatch,
): Promise<boolean> => {
  if (bytes === undefined) return false;
  try {
    const own = await workspace.readRange(path, { position, length: bytes.length });
    return Buffer.compare(own, bytes) === 0;
  } catch (error) {
    if (error instanceof ToolFailure) return false;
    throw error;
  }
};

const toShownLine = ({ bytes = Buffer.alloc(0), start }: RipgrepMatch): string => {
  const decode = (part: Buffer): string =>
    part.toString().replace(/^\uFEFF|(?<!\uFFFD)\uFFFD+$|\r?\n$/g, "");
  if (bytes.length <= MAX_SHOWN_LINE_BYTES) return decode(bytes);
  const from = Math.max(0, start - SHOWN_BEFORE_MATCH_BYTES);
  const to = from + MAX_SHOWN_LINE_BYTES;
  const shown = decode(bytes.subarray(from, to)).replace(/^\uFFFD+/, "");
  return `${from > 0 ? "…" : ""}${shown}${to < bytes.length ? "…" : ""}`;
};

const toOutput = (
  { files, endNote, longLines = new Set() }: Found,
  { include_ignored }: SearchInput,
): FoundLines => {
  const notes = [
    ...(endNote === undefined ? [] : [endNote]),
    ...[...longLines].map((path) => `${quotePath(path)} has matches in lines too long to show.`),
    ...(files.size === 0 && longLines.size === 0 && endNote === undefined
      ? [include_ignored ? NOTHING : `${NOTHING} Hidden and ignored files were left out.`]
      : []),
  ];
  return {
    files: [...files.values()],
    ...(notes.length > 0 && { note: notes.join("\n") }),
  };
};

const NOTHING = "Nothing was found.";
