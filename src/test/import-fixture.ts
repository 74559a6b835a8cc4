import { pino } from "pino";
import { v7 as newId } from "uuid";
import { ZipFile } from "yazl";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { type Import, ImportReport } from "@/contract/import";
import type { Database } from "@/server/db/connection/database";
import { createDuePoller } from "@/server/worker/due-poller";
import { createImportPoller } from "@/server/worker/import-poller";
import type { TestClient } from "./api-client";

const log = pino({ enabled: false });

/** Packs texts and bytes as a ZIP. */
export const createZip = (entries: Record<string, string | Uint8Array>): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    zip.addBuffer(Buffer.from(content as Uint8Array), name);
  }
  zip.end();
  return buffer(zip.outputStream as Readable);
};

const BYTES = { "content-type": "application/octet-stream" };

/** Sends an archive. @returns the import, before a worker has begun with it. */
export const sendArchive = async (client: TestClient, archive: Uint8Array): Promise<Import> => {
  const { status, body } = await client.call("POST /imports?name=export.zip", archive, BYTES);
  if (status !== 201) throw new Error(`no import: ${JSON.stringify(body)}`);
  return body as Import;
};

export const readImportReport = async (client: TestClient, id: string): Promise<ImportReport> =>
  ImportReport.parse((await client.call(`GET /imports/${id}`)).body);

/** Starts what imports in a worker. */
export const startImportWorker = (db: Database, changes: { sliceMs?: number } = {}) => {
  const due = createDuePoller({ db, log, pollMs: 20 });
  const poller = createImportPoller({
    db,
    newId,
    log,
    maxUnpackedBytes: 256 * 1024 * 1024,
    due,
    ...changes,
  });
  return {
    stop: async (): Promise<void> => {
      await due.stop();
      await poller.stop();
    },
  };
};

/** Imports an archive, and waits for the end. */
export const importArchive = async (
  db: Database,
  client: TestClient,
  archive: Uint8Array,
): Promise<ImportReport> => {
  const { id } = await sendArchive(client, archive);
  const worker = startImportWorker(db);
  try {
    for (;;) {
      const report = await readImportReport(client, id);
      if (report.state === "completed" || report.state === "failed") return report;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    await worker.stop();
  }
};
