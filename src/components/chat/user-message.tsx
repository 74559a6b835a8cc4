"use client";
import { clsx } from "clsx";
import { Pencil } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { BreakableText } from "@/components/ui/breakable-text";
import { CopyButton } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import type { MessageView } from "@/contract/chat-view";
import type { FilePart } from "@/contract/part";
import { ForkButton } from "./fork-button";
import { listFiles, toMessageText } from "./message-parts";
import { lazyParts } from "@/components/ui/lazy-parts";

/** Most chats have no files. */
const SentFiles = lazyParts(() => import("./sent-files"));

type UserMessageProps = {
  message: MessageView;
  /** Ids of files that models no longer get as they are. */
  omittedIds?: readonly string[] | undefined;
  /** Changes between its versions, if there are several. */
  versions?: ReactNode;
  /** Absent if the message cannot be edited. */
  onEdit?: (() => void) | undefined;
  /** Absent if the chat cannot be branched. */
  onFork?: (() => void) | undefined;
};

/** A longer text is folded, in UTF-16 units: more than a screen of what the person knows already. */
const MAX_LENGTH = 1_500;
const MAX_LINES = 20;

/** As high as one row of them: images are shown, and others named. */
const FilesPlace = ({ files }: { files: readonly FilePart[] }) => (
  <div className={files.some(({ width }) => width !== undefined) ? "h-40" : "h-9"} />
);

export const UserMessage = ({
  message,
  omittedIds,
  versions,
  onEdit,
  onFork,
}: UserMessageProps) => {
  const text = toMessageText(message);
  const files = listFiles(message);
  const isLong = text.length > MAX_LENGTH || text.split("\n").length > MAX_LINES;
  const [isWhole, setWhole] = useState(false);
  const unfold = useCallback((element: HTMLElement | null) => {
    const abort = new AbortController();
    // A search has found something in the text, which may be folded.
    element?.addEventListener("beforematch", () => setWhole(true), { signal: abort.signal });
    return () => abort.abort();
  }, []);
  return (
    <article
      aria-label="You"
      // Beside the message where a pointer finds it; the space below is that of the line of its turn.
      className="group flex flex-col items-end gap-1 md:pointer-fine:flex-row-reverse md:pointer-fine:gap-2 md:pointer-fine:pb-8"
    >
      <div className="grid max-w-[85%] min-w-0 gap-2 rounded-xl rounded-br-sm bg-surface px-4 py-2 text-base ring-1 ring-border ring-inset">
        {files.length > 0 && (
          <SentFiles
            fallback={<FilesPlace files={files} />}
            files={files}
            omittedIds={omittedIds}
          />
        )}
        {text !== "" && (
          <p
            ref={unfold}
            data-message-text
            className={clsx(
              "break-words whitespace-pre-wrap",
              isLong && !isWhole && "line-clamp-10 print:line-clamp-none",
            )}
          >
            <BreakableText text={text} />
          </p>
        )}
        {isLong && (
          <button
            type="button"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
            className="-mt-1 justify-self-start rounded-sm text-sm font-medium text-accent underline-offset-2 hover:underline print:hidden"
          >
            {isWhole ? "Show less" : "Show all"}
          </button>
        )}
      </div>
      <div className="flex items-center gap-1">
        <Actions text={text} onEdit={onEdit} onFork={onFork} />
        {versions}
      </div>
    </article>
  );
};

const Actions = ({
  text,
  onEdit,
  onFork,
}: Pick<UserMessageProps, "onEdit" | "onFork"> & { text: string }) => (
  <div className="flex shrink-0 gap-0.5 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0">
    {text !== "" && <CopyButton label="Copy message" text={text} />}
    {onEdit && (
      <IconButton
        size="sm"
        label="Edit message"
        icon={<Pencil aria-hidden size={15} />}
        onClick={onEdit}
      />
    )}
    {onFork && <ForkButton onFork={onFork} />}
  </div>
);
