import { isRasterImage, toFileUrl } from "@/contract/file";
import type { Artifact } from "@/contract/part";

/** Shows those files of a call that are images of pixels, each with a link to it in its size. */
export const ArtifactImages = ({ artifacts }: { artifacts: Artifact[] }) => (
  <>
    {artifacts
      .filter(({ media_type }) => isRasterImage(media_type))
      .map(({ id, name }) => (
        <a key={id} href={toFileUrl(id)} target="_blank" rel="noreferrer" className="self-start">
          <img
            src={toFileUrl(id)}
            alt={name}
            loading="lazy"
            className="max-h-96 max-w-full rounded-md border object-contain"
          />
        </a>
      ))}
  </>
);
