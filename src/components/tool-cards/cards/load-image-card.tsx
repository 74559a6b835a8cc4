import { Image } from "lucide-react";
import { ArtifactImages } from "@/components/tool-cards/artifact-images";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { ToolCard, type ToolCardProps } from "@/components/tool-cards/tool-card";

/** Shows the image that the model was shown. */
const LoadImageCard = ({ part, ...rest }: ToolCardProps) => {
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

export default LoadImageCard;
