import * as z from "zod";

/** Raised when an older version of this program could not read what a newer one writes. */
export const FORMAT = 1;

/** The first entry of a backup. */
export const MANIFEST_NAME = "parley-backup.json";
/** The last one. */
export const END_NAME = "end.json";
/** Has the server's secret, if it was asked for. */
export const SECRET_NAME = "secret";

/** What a backup is of. */
export const Manifest = z.object({
  format: z.int(),
  created_at: z.string(),
  database: z.enum(["embedded", "postgresql"]),
  /** Checksums of the migrations that the database had, by their names. */
  migrations: z.record(z.string(), z.string()),
  /** Columns with their types, by the names of their tables. */
  tables: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
});
export type Manifest = z.infer<typeof Manifest>;

/** What a whole backup ends with. */
export const End = z.object({
  /** SHA-256 of all entries before this one. */
  sha256: z.string(),
  /** Rows by the names of their tables. */
  rows: z.record(z.string(), z.int()),
  sequences: z.record(z.string(), z.string()),
  files: z.int(),
});
export type End = z.infer<typeof End>;
