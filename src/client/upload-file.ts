import { toFileUrl } from "@/lib/file-url";
import type { Import } from "@/contract/import";
import type { Artifact } from "@/contract/part";
import { ProblemError, readProblem, toProblem } from "./to-problem";

type Upload = {
  file: File;
  signal: AbortSignal;
  /** Gets how much of the file is sent, 0 to 1. */
  onProgress: (sent: number) => void;
};

/**
 * Sends a file to the server, for no chat yet.
 *
 * @throws {ProblemError}
 */
export const uploadFile = (upload: Upload): Promise<Artifact> => send("/api/v1/files", upload);

/**
 * Sends an archive to import.
 *
 * @throws {ProblemError}
 */
export const uploadArchive = (upload: Upload): Promise<Import> => send("/api/v1/imports", upload);

/** Uses XMLHttpRequest, because `fetch` has no upload progress. */
const send = <Stored>(path: string, { file, signal, onProgress }: Upload): Promise<Stored> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (): void => reject(new ProblemError(toProblem(undefined)));
    request.open("POST", `${path}?${new URLSearchParams({ name: file.name }).toString()}`);
    request.setRequestHeader("content-type", file.type || "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener("error", fail);
    request.addEventListener("abort", fail);
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status === 201) return resolve(JSON.parse(responseText) as Stored);
      readProblem(new Response(responseText, { status: Math.max(status, 400) })).then(
        (problem) => reject(new ProblemError(problem)),
        fail,
      );
    });
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });

/** Deletes a file that no message has. Nobody waits for it: the server deletes it after a week otherwise. */
export const deleteUpload = (id: string): void => {
  fetch(toFileUrl(id), { method: "DELETE" }).catch(() => undefined);
};
