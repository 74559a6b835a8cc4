import { Image } from "lucide-react";
import { ArtifactImages } from "./artifact-images";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

/** Shows the image that the model was shown. */
export const LoadImageCard = ({ part, ...rest }: ToolCardProps) => {
  const { artifacts = [] } = part;
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={Image}
      label="Load image"
      detail={getTextArg(parseCallArgs(part), "path") ?? artifacts[0]?.name}
    >
      <ArtifactImages artifacts={artifacts} />
      <Outcome part={part} />
    </ToolCard>
  );
};
