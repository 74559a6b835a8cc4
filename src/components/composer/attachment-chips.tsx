import { clsx } from "clsx";
import { ArrowLeft, ArrowRight, FileText, RefreshCw, X } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { isRasterImage } from "@/contract/file-kind";
import type { DraftAttachment } from "@/contract/draft-attachment";
import { toPreviewUrl } from "@/lib/file-url";
import { formatBytes } from "@/lib/format";

type AttachmentChipsProps = {
  items: readonly DraftAttachment[];
  onRemove: (key: string) => void;
  /** Sends one again that could not be sent. */
  onRetry?: (key: string) => void;
  /** Changes the order; absent where that is fixed. */
  onMove?: ((key: string, by: -1 | 1) => void) | undefined;
};

/** The files of a message that is being written. */
const AttachmentChips = ({ items, ...actions }: AttachmentChipsProps) => {
  const ready = items.filter(({ state }) => state === "ready");
  return (
    <ul aria-label="Files" className="flex max-h-40 min-w-0 flex-wrap gap-2 overflow-y-auto p-2">
      {items.map((item) => (
        <Chip
          key={item.key}
          item={item}
          isFirst={item === ready[0]}
          isLast={item === ready.at(-1)}
          {...actions}
        />
      ))}
    </ul>
  );
};
export default AttachmentChips;

type ChipProps = Omit<AttachmentChipsProps, "items"> & {
  item: DraftAttachment;
  isFirst: boolean;
  isLast: boolean;
};

const Chip = ({ item, isFirst, isLast, onRemove, onRetry, onMove }: ChipProps) => {
  const { key, name } = item;
  return (
    <li
      className={clsx(
        "flex max-w-full min-w-0 items-center gap-2 rounded-lg border bg-surface py-1 pr-1 pl-2 text-sm",
        item.state === "failed" && "border-danger",
      )}
    >
      <Preview item={item} />
      <span className="grid min-w-0">
        <span title={name} className="max-w-48 truncate">
          {name}
        </span>
        <State item={item} />
      </span>
      <span className="flex shrink-0">
        {item.state === "ready" && onMove && !(isFirst && isLast) && (
          <>
            <IconButton
              size="sm"
              label={`Move ${name} left`}
              icon={<ArrowLeft aria-hidden size={14} />}
              disabled={isFirst}
              onClick={() => onMove(key, -1)}
            />
            <IconButton
              size="sm"
              label={`Move ${name} right`}
              icon={<ArrowRight aria-hidden size={14} />}
              disabled={isLast}
              onClick={() => onMove(key, 1)}
            />
          </>
        )}
        {item.state === "failed" && onRetry && (
          <IconButton
            size="sm"
            label={`Send ${name} again`}
            icon={<RefreshCw aria-hidden size={14} />}
            onClick={() => onRetry(key)}
          />
        )}
        <IconButton
          size="sm"
          label={item.state === "uploading" ? `Cancel ${name}` : `Remove ${name}`}
          icon={<X aria-hidden size={14} />}
          onClick={() => onRemove(key)}
        />
      </span>
    </li>
  );
};

const Preview = ({ item }: { item: DraftAttachment }) =>
  item.state === "ready" && isRasterImage(item.mediaType) && item.file.width !== undefined ? (
    <img
      src={toPreviewUrl(item.file.id)}
      alt=""
      className="size-9 shrink-0 rounded-sm bg-hover object-cover"
    />
  ) : (
    <FileText aria-hidden size={18} className="shrink-0 text-muted" />
  );

const PERCENT = 100;

const State = ({ item }: { item: DraftAttachment }) => {
  switch (item.state) {
    case "ready":
      return <span className="text-xs text-muted">{formatBytes(item.size)}</span>;
    case "failed":
      return (
        <span role="alert" className="text-xs text-pretty wrap-anywhere text-danger">
          {item.error}
        </span>
      );
    case "uploading":
      return (
        <progress
          aria-label={`Sending ${item.name}`}
          max={PERCENT}
          value={Math.round(item.progress * PERCENT)}
          className="h-1.5 w-24 self-center"
        />
      );
  }
};
