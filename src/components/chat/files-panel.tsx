"use client";
import { FileText, X } from "lucide-react";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { FileLink } from "@/components/ui/file-link";
import { IconButton } from "@/components/ui/icon-button";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { LoadMore } from "@/components/ui/load-more";
import type { ChatFile, FilePage } from "@/contract/file";
import { isRasterImage } from "@/contract/file-kind";
import { toPreviewUrl } from "@/lib/file-url";
import { formatBytes, formatDate } from "@/lib/format";

type FilesPanelProps = {
  open: boolean;
  onClose: () => void;
  chatId: string;
  files: Loadable<Pick<FilePage, "data" | "total_count" | "total_size">>;
  onReload: () => void;
  /** Undefined when all files are loaded. */
  onLoadMore: (() => void) | undefined;
  isLoadingMore: boolean;
  /** Whether the last part could not be loaded. */
  hasMoreFailed: boolean;
};

/** The files of a chat and of its agents, newest first. */
export const FilesPanel = ({ open, onClose, files, onReload, ...list }: FilesPanelProps) => (
  <Drawer
    open={open}
    onOpenChange={(next) => {
      if (!next) onClose();
    }}
    title="Files"
    side="right"
  >
    <div className="flex shrink-0 items-center justify-between gap-2 border-b py-2 pr-2 pl-4">
      {/* The dialog is named by its title already. */}
      <p aria-hidden className="min-w-0 text-base font-semibold">
        Files
      </p>
      <IconButton label="Close" icon={<X aria-hidden size={18} />} onClick={onClose} />
    </div>
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3 short:flex-none short:overflow-visible">
      <Loaded loadable={files} what="files" onReload={onReload}>
        {(page) => <FileList {...page} {...list} />}
      </Loaded>
    </div>
  </Drawer>
);

type FileListProps = Omit<FilesPanelProps, "open" | "onClose" | "files" | "onReload"> &
  Pick<FilePage, "data" | "total_count" | "total_size">;

const FileList = ({ chatId, data, total_count, total_size, ...more }: FileListProps) => {
  const { onLoadMore, isLoadingMore, hasMoreFailed } = more;
  if (data.length === 0) {
    return (
      <EmptyState
        kind="empty"
        size="list"
        title="No files"
        text="The files that you send and those that tools make are listed here."
      />
    );
  }
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">
        {total_count} {total_count === 1 ? "file" : "files"}, {formatBytes(total_size)}
      </p>
      <ul aria-label="Files of this chat" className="grid gap-1">
        {data.map((file) => (
          <li key={file.id}>
            <FileRow file={file} source={describeSource(file, chatId)} />
          </li>
        ))}
      </ul>
      {onLoadMore && (
        <LoadMore
          label="Load older files"
          isLoading={isLoadingMore}
          hasFailed={hasMoreFailed}
          onLoad={onLoadMore}
        />
      )}
    </div>
  );
};

const describeSource = ({ chat_id, tool_call_id }: ChatFile, chatId: string): string => {
  if (tool_call_id === null) return "sent";
  return chat_id === chatId ? "made by a tool" : "made by an agent";
};

const FileRow = ({ file, source }: { file: ChatFile; source: string }) => (
  <FileLink
    file={file}
    className="flex min-w-0 items-center gap-3 rounded-md p-2 transition-colors hover:bg-hover pointer-coarse:min-h-11"
  >
    {isRasterImage(file.media_type) ? (
      <img
        src={toPreviewUrl(file.id)}
        alt=""
        loading="lazy"
        decoding="async"
        className="size-10 shrink-0 rounded-sm border bg-hover object-cover"
      />
    ) : (
      <span className="flex size-10 shrink-0 items-center justify-center rounded-sm border bg-raised">
        <FileText aria-hidden size={18} className="text-muted" />
      </span>
    )}
    <span className="grid min-w-0">
      <span className="text-sm wrap-anywhere">{file.name}</span>
      <span className="text-xs text-muted">
        {formatBytes(file.size)}, {source} on {formatDate(file.created_at)}
      </span>
    </span>
  </FileLink>
);
