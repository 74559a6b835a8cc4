import { toFileUrl } from "@/lib/file-url";
import type { Artifact } from "@/contract/part";
import { ProblemError, readProblem, toProblem } from "./to-problem";

type Upload = {
  file: File;
  signal: AbortSignal;
  /** Gets how much of the file is sent, 0 to 1. */
  onProgress: (sent: number) => void;
};

/**
 * Sends a file to the server, for no chat yet. By the older API of browsers, as `fetch` does not tell how much is sent.
 *
 * @throws {ProblemError}
 */
export const uploadFile = ({ file, signal, onProgress }: Upload): Promise<Artifact> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (): void => reject(new ProblemError(toProblem(undefined)));
    request.open("POST", `/api/v1/files?${new URLSearchParams({ name: file.name }).toString()}`);
    request.setRequestHeader("content-type", file.type || "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener("error", fail);
    request.addEventListener("abort", fail);
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status === 201) return resolve(JSON.parse(responseText) as Artifact);
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
