import { FileText } from "lucide-react";
import { isRasterImage } from "@/contract/file-kind";
import type { FilePart } from "@/contract/part";
import { toFileUrl } from "@/lib/file-url";
import { formatBytes } from "@/lib/format";

type SentFilesProps = {
  files: readonly FilePart[];
  /** Ids of those that models no longer get as they are. */
  omittedIds?: readonly string[] | undefined;
};

/** The files of a message. Images have their place before they are loaded, which is when they come into view. */
export const SentFiles = ({ files, omittedIds = [] }: SentFilesProps) => (
  <ul aria-label="Files" className="flex min-w-0 flex-wrap gap-2">
    {files.map((file) => (
      <li key={file.file_id} className="max-w-full min-w-0">
        {isShown(file) ? <SentImage {...file} /> : <FileLink {...file} />}
        {omittedIds.includes(file.file_id) && (
          <p className="mt-1 text-xs text-muted">
            {isShown(file) ? "No longer sent to the model" : "Only its text is still sent"}
          </p>
        )}
      </li>
    ))}
  </ul>
);

const isShown = ({ media_type, width }: FilePart): boolean =>
  isRasterImage(media_type) && width !== undefined;

const SentImage = ({ file_id, name, width, height }: FilePart) => (
  <a href={toFileUrl(file_id)} target="_blank" rel="noreferrer" title={name} className="block">
    <img
      src={toFileUrl(file_id)}
      alt={name}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      className="h-40 max-h-40 w-auto max-w-full rounded-md border bg-hover object-contain"
    />
  </a>
);

const FileLink = ({ file_id, name, size }: FilePart) => (
  <a
    href={toFileUrl(file_id)}
    download={name}
    className="flex min-w-0 items-center gap-2 rounded-md border bg-raised px-2 py-1.5 text-sm transition-colors hover:bg-hover pointer-coarse:min-h-11"
  >
    <FileText aria-hidden size={15} className="shrink-0 text-muted" />
    <span className="min-w-0 wrap-anywhere">{name}</span>
    <span className="shrink-0 text-xs text-muted">{formatBytes(size)}</span>
  </a>
);
