import { FileChip } from "@/components/ui/file-link";
import type { Artifact } from "@/contract/part";

/** Links to the files of a call. */
export const ArtifactLinks = ({ artifacts }: { artifacts: Artifact[] }) => (
  <ul aria-label="Files" className="flex flex-wrap gap-2">
    {artifacts.map((artifact) => (
      <li key={artifact.id} className="min-w-0">
        <FileChip file={artifact} />
      </li>
    ))}
  </ul>
);
