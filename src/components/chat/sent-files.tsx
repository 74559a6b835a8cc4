import { FileChip } from "@/components/ui/file-link";
import { ImageLink } from "@/components/ui/image-link";
import { isRasterImage } from "@/contract/file-kind";
import type { FilePart } from "@/contract/part";
import { toFileUrl, toPreviewUrl } from "@/lib/file-url";

type SentFilesProps = {
  files: readonly FilePart[];
  /** Ids of those that models no longer get as they are. */
  omittedIds?: readonly string[] | undefined;
};

/** The files of a message. Images have their place before they are loaded, which is when they come into view. */
const SentFiles = ({ files, omittedIds = [] }: SentFilesProps) => (
  <ul aria-label="Files" className="flex min-w-0 flex-wrap gap-2">
    {files.map((file) => (
      <li key={file.file_id} className="max-w-full min-w-0">
        {isShown(file) ? (
          <SentImage {...file} />
        ) : (
          <FileChip file={{ ...file, id: file.file_id }} />
        )}
        {omittedIds.includes(file.file_id) && (
          <p className="mt-1 text-xs text-muted">
            {isShown(file) ? "No longer sent to the model" : "Only its text is still sent"}
          </p>
        )}
      </li>
    ))}
  </ul>
);
export default SentFiles;

const isShown = ({ media_type, width }: FilePart): boolean =>
  isRasterImage(media_type) && width !== undefined;

const SentImage = ({ file_id, name, media_type, width, height }: FilePart) => (
  <ImageLink url={toFileUrl(file_id)} name={name} className="block">
    <img
      // A smaller one would not move.
      src={media_type === "image/gif" ? toFileUrl(file_id) : toPreviewUrl(file_id)}
      alt={name}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      className="h-40 max-h-40 w-auto max-w-full rounded-md border bg-hover object-contain"
    />
  </ImageLink>
);
