import { chown } from "node:fs/promises";

/** An id of a user without privileges; whether an account has it does not matter. */
const ORDINARY_USER = 65_534;

/** Runs a body without the privileges of root, for whom nothing is read-only. */
export const asOrdinaryUser = async <Result>(body: () => Promise<Result>): Promise<Result> => {
  if (process.geteuid?.() !== 0) return body();
  process.seteuid?.(ORDINARY_USER);
  try {
    return await body();
  } finally {
    process.seteuid?.(0);
  }
};

/** Gives paths to the user of `asOrdinaryUser`. */
export const giveToOrdinaryUser = async (...paths: string[]): Promise<void> => {
  if (process.geteuid?.() !== 0) return;
  for (const path of paths) await chown(path, ORDINARY_USER, ORDINARY_USER);
};
