import { isRasterImage } from "@/contract/file-kind";
import type { HistoryMessage, HistoryMessages } from "@/contract/history";
import type { Artifact } from "@/contract/part";
import { toFileUrl } from "@/lib/file-url";
import type { GivenPartRow } from "@/server/db/chats/rows";
import { toContentParts } from "@/server/db/sql/rows/part-columns";
import type { GivenMessage } from "@/server/db/sql/machine/history-inserts";
import { maskJson } from "@/server/tools/mask-json";
import { settle } from "@/server/tools/settle";
import { fillParts, listNamedFiles, type NamedFile, type NamedFiles } from "./message-files";

type Answer = Extract<HistoryMessage, { role: "assistant" }>;
type AnswerPart = Answer["content"][number];

/** Masks the secrets in the outputs of calls, each by itself, as a history may have megabytes of them. */
export const maskHistory = async (messages: HistoryMessages): Promise<HistoryMessages> => {
  const masked: HistoryMessages = [];
  for (const message of messages) {
    masked.push(message.role === "assistant" ? await maskAnswer(message) : message);
  }
  return masked;
};

const maskAnswer = async ({ role, content }: Answer): Promise<Answer> => {
  const masked: AnswerPart[] = [];
  for (const part of content) {
    if (part.type === "tool_call") {
      masked.push({ ...part, output: maskJson(part.output) });
      await new Promise(setImmediate);
    } else masked.push(part);
  }
  return { role, content: masked };
};

/** All files that the messages of a request name. */
export const listHistoryFiles = (messages: HistoryMessages): NamedFile[] =>
  messages.flatMap(({ content }, index) =>
    typeof content === "string" ? [] : listNamedFiles(content, `/messages/${index}/content`),
  );

type HistoryReader = {
  files: NamedFiles;
  /** Who gives the history. */
  by: string;
  newId: () => string;
};

/** Converts the messages of a request, whose turns begin with those of the user, to rows. */
export const toHistoryRows = (
  messages: HistoryMessages,
  { files, by, newId }: HistoryReader,
): GivenMessage[] => {
  let turnId = newId();
  return messages.map((message, index) => {
    if (message.role === "user" && index > 0) turnId = newId();
    return {
      id: newId(),
      turnId,
      role: message.role,
      createdBy: message.role === "assistant" ? null : by,
      // No model has read the results, as after a turn that rests.
      finishReason: index === messages.length - 1 && hasCalls(message) ? "auto-submit-off" : null,
      parts: toParts(message, { files, by }),
    };
  });
};

const hasCalls = ({ content }: HistoryMessage): boolean =>
  typeof content !== "string" && content.some(({ type }) => type === "tool_call");

const toParts = (
  { role, content }: HistoryMessage,
  { files, by }: Omit<HistoryReader, "newId">,
): GivenPartRow[] => {
  switch (role) {
    case "system":
      return [{ type: "text", text: content }];
    case "user":
      return toContentParts(fillParts(content, files));
    case "assistant":
      return content.map((part) => toAnswerPart(part, { files, by }));
  }
};

const toAnswerPart = (
  part: AnswerPart,
  { files, by }: Omit<HistoryReader, "newId">,
): GivenPartRow => {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part;
    case "file":
      return { type: "text", text: toLink(files.get(part.file_id)?.file) };
    case "tool_call":
      return {
        type: "tool_call",
        toolCallId: part.tool_call_id,
        toolName: part.tool_name,
        // A client has run it.
        kind: "dynamic",
        args: part.args,
        approvedArgs: null,
        approvalScope: null,
        approved: false,
        elicitations: null,
        ...settle({ type: "recorded", state: part.state, output: part.output, by }),
      };
  }
};

/** Files of answers are links in their texts (ADR 0105). */
const toLink = (file: Artifact | undefined): string => {
  if (!file) throw new Error("a file of a history was not found");
  const name = file.name.replaceAll(/[\\[\]]/g, "\\$&");
  return `${isRasterImage(file.media_type) ? "!" : ""}[${name}](${toFileUrl(file.id)})`;
};
