import { FileImage } from "@/components/ui/file-image";
import { isRasterImage } from "@/contract/file-kind";
import type { Artifact } from "@/contract/part";
import { toFileUrl } from "@/lib/file-url";

/** Shows those files of a call that are images of pixels. */
export const ArtifactImages = ({ artifacts }: { artifacts: Artifact[] }) => (
  <>
    {artifacts
      .filter(({ media_type }) => isRasterImage(media_type))
      .map(({ id, name }) => (
        <FileImage key={id} url={toFileUrl(id)} name={name} />
      ))}
  </>
);
