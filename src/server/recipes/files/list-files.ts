import type { Stats } from "node:fs";
import { access, constants, readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { getErrorMessage } from "@/lib/error-message";
import { hasErrorCode } from "@/lib/has-error-code";

/** A file that may have a recipe, with why it cannot be loaded as it is. */
export type ListedFile = { name: string; file: string; problem?: string };

/** The name says that a file has a recipe; others, such as tests and what recipes import, can lie beside it. */
const RECIPE_FILE = /^[^._].*\.[cm]?[jt]s$/;
const NO_RECIPE_FILE = /\.(?:d|test|spec)\.[cm]?[jt]s$/;

/** Largest file of a recipe, in bytes: far more than somebody writes. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Most files of a folder: each costs a part of the start, and of each comparison. */
const MAX_FILES = 500;

/**
 * Lists the files of a folder that are recipes by their names, in their order.
 *
 * @returns the sentence why the folder cannot be read.
 */
export const listRecipeFiles = async (folder: string): Promise<ListedFile[] | string> => {
  try {
    const root = await realpath(folder);
    const names = (await readdir(folder)).filter(isRecipeName).toSorted();
    const inspected = names.slice(0, MAX_FILES).map((name) => inspect(root, folder, name));
    return [...(await Promise.all(inspected)), ...describeRest(folder, names.slice(MAX_FILES))];
  } catch (error) {
    return describeReadError("folder", error);
  }
};

const isRecipeName = (name: string): boolean =>
  RECIPE_FILE.test(name) && !NO_RECIPE_FILE.test(name);

/** One problem for all, as each costs time and a line, and the folder is listed again and again. */
const describeRest = (folder: string, [first, ...others]: readonly string[]): ListedFile[] => {
  if (first === undefined) return [];
  const also = others.length === 0 ? "" : `, nor are the ${others.length} files after it`;
  const problem = `It is not loaded${also}, as a folder may have ${MAX_FILES} recipes.`;
  return [{ name: first, file: path.join(folder, first), problem }];
};

const inspect = async (root: string, folder: string, name: string): Promise<ListedFile> => {
  const file = path.join(folder, name);
  const problem = await findFileProblem(root, file).catch((error: unknown) =>
    describeReadError("file", error),
  );
  return { name, file, ...(problem !== undefined && { problem }) };
};

const findFileProblem = async (root: string, file: string): Promise<string | undefined> => {
  const target = await realpath(file);
  if (!target.startsWith(`${root}${path.sep}`)) {
    return "It is a link to a place outside of the folder.";
  }
  const stats = await stat(target);
  if (stats.isDirectory()) return "It is a folder, not a file.";
  if (!stats.isFile()) return "It is not a regular file.";
  if (stats.size > MAX_FILE_BYTES) return `It is over ${MAX_FILE_BYTES} bytes.`;
  await access(target, constants.R_OK);
  return undefined;
};

export const describeReadError = (what: "file" | "folder", error: unknown): string => {
  if (hasErrorCode(error, "EACCES", "EPERM")) return `The server may not read this ${what}.`;
  if (hasErrorCode(error, "ENOENT")) return `There is no such ${what}.`;
  if (hasErrorCode(error, "ENOTDIR")) return "This is not a folder.";
  return `The ${what} cannot be read: ${getErrorMessage(error)}`;
};

/** @returns a text that differs when one of the files does. */
export const readStamp = async (files: readonly string[]): Promise<string> => {
  const stats = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  return stats.map(toStamp).join();
};

const toStamp = (stats: Stats | undefined): string =>
  stats ? `${stats.ino}-${stats.size}-${stats.mtimeMs}-${stats.mode}` : "none";
