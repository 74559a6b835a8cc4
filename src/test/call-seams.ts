import type { Artifact } from "@/contract/part";
import type { PreviewOp } from "@/contract/stream-event";
import type { CallSeams, NewArtifact } from "@/server/tools/tool-context";

export type RecordedSeams = {
  seams: CallSeams;
  saved: (NewArtifact & { toolCallId: string; id: string })[];
  ops: PreviewOp[];
  logged: { level: string; fields: object; message: string }[];
  abort: (reason?: unknown) => void;
};

const id = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** The world of a tool, recorded: a fixed clock, counted ids, nothing stored. */
export const recordedSeams = (changes: Partial<CallSeams> = {}): RecordedSeams => {
  const controller = new AbortController();
  const saved: RecordedSeams["saved"] = [];
  const ops: PreviewOp[] = [];
  const logged: RecordedSeams["logged"] = [];
  const log = (level: string) => (fields: object, message: string) => {
    logged.push({ level, fields, message });
  };
  const seams: CallSeams = {
    chatId: id(1),
    rootChatId: id(1),
    userId: "user-1",
    turnId: id(2),
    messageId: id(3),
    channel: "web",
    now: () => new Date("2026-03-29T00:59:30.250Z"),
    newId: () => id(9),
    signal: controller.signal,
    log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    emit: (op) => ops.push(op),
    workspace: {
      list: () => Promise.resolve([]),
      read: () => Promise.resolve(new Uint8Array()),
      write: () => Promise.resolve({ created: true }),
    },
    saveArtifact: (file): Promise<Artifact> => {
      const artifactId = id(100 + saved.length);
      saved.push({ ...file, id: artifactId });
      return Promise.resolve({
        id: artifactId,
        name: file.name,
        media_type: file.mediaType,
        size: file.bytes.length,
      });
    },
    maxOutputBytes: 4_096,
    ...changes,
  };
  return { seams, saved, ops, logged, abort: (reason) => controller.abort(reason) };
};
