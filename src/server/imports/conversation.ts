import type { ExportedChat } from "@/contract/exported-chat";
import type { ImportSource } from "@/contract/import";
import type { FilePlace } from "./archive";

/** A chat of a conversation: what it is in the source, and what is to be stored. */
export type ConvertedChat = {
  /** The source and its id of the conversation, or of the branch. */
  sourceId: string;
  chat: ExportedChat;
};

/** Where the content of a file is: in the archive, or in the document. */
export type FileContent = FilePlace | { text: string };

/** A conversation of another program as chats: the first one is what it shows, others are its branches. */
export type Conversation = {
  source: ImportSource;
  chats: readonly [ConvertedChat, ...ConvertedChat[]];
  /** The files that its messages name, by the ids that they use. */
  files: ReadonlyMap<string, { name: string; content: FileContent }>;
  /** What of it cannot be imported as it was, as sentences. */
  notes: readonly string[];
};
