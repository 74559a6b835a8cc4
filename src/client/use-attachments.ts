import { useCallback, useSyncExternalStore } from "react";
import { MAX_ARTIFACT_BYTES, MAX_MESSAGE_FILES } from "@/contract/limits";
import { type DraftAttachment, toReadyAttachment } from "@/contract/draft-attachment";
import { formatBytes } from "@/lib/format";
import { readDraftFiles, useDraftFiles, writeDraftFiles } from "./use-draft";
import { toProblem } from "./to-problem";
import { deleteUpload, uploadFile } from "./upload-file";

/** A file that is being sent to the server, or that could not be. */
type Upload = DraftAttachment & { state: "uploading" | "failed"; source: File; abort: () => void };

/** By chat, of this page: an upload goes on while another chat is shown. */
const uploadsByChat = new Map<string, readonly Upload[]>();
const listeners = new Set<() => void>();
const NO_UPLOADS: readonly Upload[] = [];

const readUploads = (chatId: string): readonly Upload[] => uploadsByChat.get(chatId) ?? NO_UPLOADS;

const writeUploads = (chatId: string, uploads: readonly Upload[]): void => {
  if (uploads.length === 0) uploadsByChat.delete(chatId);
  else uploadsByChat.set(chatId, uploads);
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const replaceUpload = (chatId: string, key: string, next: Upload | undefined): void =>
  writeUploads(
    chatId,
    readUploads(chatId).flatMap((upload) => (upload.key === key ? (next ?? []) : upload)),
  );

const findProblem = (chatId: string, { size }: File): string | undefined => {
  if (size === 0) return "It is empty, or a folder.";
  if (size > MAX_ARTIFACT_BYTES) return `It is larger than ${formatBytes(MAX_ARTIFACT_BYTES)}.`;
  const count = readDraftFiles(chatId).length + readUploads(chatId).length;
  return count >= MAX_MESSAGE_FILES ? `A message can have ${MAX_MESSAGE_FILES} files.` : undefined;
};

let uploadCount = 0;

const startUpload = (chatId: string, source: File): void => {
  const controller = new AbortController();
  const upload = {
    key: `upload ${(uploadCount += 1)}`,
    name: source.name,
    size: source.size,
    mediaType: source.type,
    source,
    abort: () => controller.abort(),
  };
  const show = (state: Upload): void => replaceUpload(chatId, upload.key, state);
  const fail = (error: string): void => show({ ...upload, state: "failed", error });
  const problem = findProblem(chatId, source);
  writeUploads(chatId, [...readUploads(chatId), { ...upload, state: "uploading", progress: 0 }]);
  if (problem !== undefined) return fail(problem);
  const send = async (): Promise<void> => {
    // It was removed while it waited.
    if (controller.signal.aborted) return;
    try {
      const file = await uploadFile({
        file: source,
        signal: controller.signal,
        onProgress: (progress) => show({ ...upload, state: "uploading", progress }),
      });
      if (controller.signal.aborted) return deleteUpload(file.id);
      replaceUpload(chatId, upload.key, undefined);
      writeDraftFiles(chatId, [...readDraftFiles(chatId), file]);
    } catch (error) {
      fail(toProblem(error).detail);
    }
  };
  lastUpload = lastUpload.then(send);
};

/** One after another, so that files keep the order in which they were chosen. */
let lastUpload = Promise.resolve();

/**
 * The files of the message that is being written in a chat. Those that are on the server survive a reload, and all tabs
 * share them; the server keeps them for a week.
 *
 * @param chatId `new` for a chat that has not been created.
 */
export const useAttachments = (chatId: string) => {
  const files = useDraftFiles(chatId);
  const uploads = useSyncExternalStore(
    subscribe,
    useCallback(() => readUploads(chatId), [chatId]),
    () => NO_UPLOADS,
  );
  const remove = (key: string): void => {
    const upload = uploads.find((one) => one.key === key);
    if (upload) {
      upload.abort();
      return replaceUpload(chatId, key, undefined);
    }
    writeDraftFiles(
      chatId,
      files.filter(({ id }) => id !== key),
    );
    deleteUpload(key);
  };
  return {
    files,
    items: [...files.map(toReadyAttachment), ...uploads],
    onAdd: useCallback(
      (added: readonly File[]): void => {
        for (const file of added) startUpload(chatId, file);
      },
      [chatId],
    ),
    onRemove: remove,
    onRetry: (key: string): void => {
      const upload = uploads.find((one) => one.key === key);
      replaceUpload(chatId, key, undefined);
      if (upload) startUpload(chatId, upload.source);
    },
    /** Moves a file that is on the server before the one at its left, or after the one at its right. */
    onMove: (key: string, by: -1 | 1): void => {
      const from = files.findIndex(({ id }) => id === key);
      const moved = files[from];
      if (!moved) return;
      const others = files.filter(({ id }) => id !== key);
      writeDraftFiles(chatId, others.toSpliced(from + by, 0, moved));
    },
  };
};
