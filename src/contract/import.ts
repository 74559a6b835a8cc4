import * as z from "zod";

/** What an archive was exported from. */
export const ImportSource = z.enum(["parley", "chatgpt", "claude"]);
export type ImportSource = z.infer<typeof ImportSource>;

/** `receiving` while the archive is sent, `queued` until a worker begins with it or goes on. */
const ImportState = z.enum(["receiving", "queued", "running", "completed", "failed"]);

/** An archive of chats that was sent, and how far it is imported. */
export const Import = z
  .object({
    id: z.uuid(),
    name: z.string(),
    state: ImportState,
    /** Null until it is known. */
    source: ImportSource.nullable(),
    /** Bytes of the archive. */
    size: z.int(),
    /** Bytes of its documents, unpacked, and how many of them are done. */
    total_bytes: z.int(),
    read_bytes: z.int(),
    /** What it has made. */
    chats: z.int(),
    messages: z.int(),
    files: z.int(),
    /** Conversations that were there already, which are not imported again. */
    known: z.int(),
    /** What could not be read, or not as it was. */
    problems: z.int(),
    /** Why it has failed. What it had made before stays. */
    error: z.string().nullable(),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Import" });
export type Import = z.infer<typeof Import>;

/** What an import could not read, and why. */
export const ImportProblem = z
  .object({ title: z.string(), reason: z.string() })
  .meta({ id: "ImportProblem" });
export type ImportProblem = z.infer<typeof ImportProblem>;

export const ImportReport = Import.extend({
  /** The first of them. */
  report: z.array(ImportProblem),
}).meta({ id: "ImportReport" });
export type ImportReport = z.infer<typeof ImportReport>;

export const ImportList = z.object({ data: z.array(Import) }).meta({ id: "ImportList" });

/** A body that is read while it arrives. */
type StreamedFile = { length: number | undefined; content: AsyncIterable<Uint8Array> };

export const CreateImportInput = z.strictObject({
  name: z.string().max(1_000).optional(),
  /** Sent as the body. */
  file: z.custom<StreamedFile>((value) => typeof value === "object" && value !== null),
});

export const ImportRef = z.strictObject({ import_id: z.string() });

/** What follows the name of the model of an imported answer, as no model of this server has written it. */
export const IMPORTED_SUFFIX = " (imported)";
