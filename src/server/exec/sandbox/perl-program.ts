/// <reference types="vite/client" />
import system from "./perl/system.pl?raw";

/** A value that a program of Perl gets; numbers stay numbers, which system calls take by value. */
export type PerlValue =
  | string
  | number
  | boolean
  | readonly PerlValue[]
  | { readonly [name: string]: PerlValue | undefined };

/**
 * Creates a program of Perl from files of the folder `perl`, in which they find `$settings`. A server passes it on as
 * text: it is bundled with it, and the account of a command may not be able to read the server's files.
 */
export const createPerlProgram = (
  settings: Readonly<Record<string, PerlValue>>,
  files: readonly string[],
): string => [`my $settings = ${toPerl(settings)};\n`, system, ...files].join("");

const toPerl = (value: PerlValue): string => {
  if (typeof value === "string") return quotePerl(value);
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "1" : "0";
  if (isList(value)) return `[${value.map(toPerl).join(", ")}]`;
  const entries = Object.entries(value).map(([name, entry]) =>
    entry === undefined ? [] : [`${quotePerl(name)} => ${toPerl(entry)}`],
  );
  return `{${entries.flat().join(", ")}}`;
};

const isList = (value: PerlValue): value is readonly PerlValue[] => Array.isArray(value);

const quotePerl = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
