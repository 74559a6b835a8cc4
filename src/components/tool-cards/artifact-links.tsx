import { FileText, Image } from "lucide-react";
import { isRasterImage } from "@/contract/file-kind";
import type { Artifact } from "@/contract/part";
import { toFileUrl } from "@/lib/file-url";
import { formatBytes } from "@/lib/format";

/** Links to the files of a call: images open in a new tab, all others are downloaded. */
export const ArtifactLinks = ({ artifacts }: { artifacts: Artifact[] }) => (
  <ul aria-label="Files" className="flex flex-wrap gap-2">
    {artifacts.map((artifact) => (
      <li key={artifact.id} className="min-w-0">
        <ArtifactLink artifact={artifact} />
      </li>
    ))}
  </ul>
);

const ArtifactLink = ({ artifact: { id, name, media_type, size } }: { artifact: Artifact }) => {
  const isImage = isRasterImage(media_type);
  const Icon = isImage ? Image : FileText;
  return (
    <a
      href={toFileUrl(id)}
      {...(isImage ? { target: "_blank", rel: "noreferrer" } : { download: name })}
      className="flex min-w-0 items-center gap-2 rounded-md border px-2 py-1.5 transition-colors hover:bg-hover pointer-coarse:min-h-11"
    >
      <Icon aria-hidden size={15} className="shrink-0 text-muted" />
      <span className="min-w-0 wrap-anywhere">{name}</span>
      <span className="shrink-0 text-xs text-muted">{formatBytes(size)}</span>
    </a>
  );
};
