import { FileText, Image } from "lucide-react";
import type { ReactNode } from "react";
import { isRasterImage } from "@/contract/file-kind";
import type { Artifact } from "@/contract/part";
import { toFileUrl } from "@/lib/file-url";
import { formatBytes } from "@/lib/format";
import { ImageLink } from "./image-link";

type FileLinkProps = {
  file: Pick<Artifact, "id" | "name" | "media_type">;
  className: string;
  children: ReactNode;
};

/** A link to a file of a chat: an image is shown above the page, any other file is downloaded. */
export const FileLink = ({ file: { id, name, media_type }, ...rest }: FileLinkProps) =>
  isRasterImage(media_type) ? (
    <ImageLink url={toFileUrl(id)} name={name} {...rest} />
  ) : (
    <a href={toFileUrl(id)} download={name} {...rest} />
  );

/** A link with the name and the size of a file. */
export const FileChip = ({ file }: { file: Artifact }) => {
  const Icon = isRasterImage(file.media_type) ? Image : FileText;
  return (
    <FileLink
      file={file}
      className="flex min-w-0 items-center gap-2 rounded-md border bg-raised px-2 py-1.5 text-sm transition-colors hover:bg-hover pointer-coarse:min-h-11"
    >
      <Icon aria-hidden size={15} className="shrink-0 text-muted" />
      <span className="min-w-0 wrap-anywhere">{file.name}</span>
      <span className="shrink-0 text-xs text-muted">{formatBytes(file.size)}</span>
    </FileLink>
  );
};
