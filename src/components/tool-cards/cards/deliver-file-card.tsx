import { PackageCheck } from "lucide-react";
import { ArtifactImages } from "@/components/tool-cards/artifact-images";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { toCardState } from "@/components/tool-cards/card-state";
import { Outcome } from "@/components/tool-cards/outcome";
import { ToolCard, type ToolCardProps } from "@/components/tool-cards/tool-card";

/** Starts open, as the file is what the person asked for. */
const DeliverFileCard = ({ part, ...rest }: ToolCardProps) => {
  const { artifacts = [] } = part;
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={PackageCheck}
      label="Deliver file"
      detail={artifacts[0]?.name ?? getTextArg(parseCallArgs(part), "path")}
      defaultOpen
    >
      {toCardState(part) === "completed" ? (
        <ArtifactImages artifacts={artifacts} />
      ) : (
        <Outcome part={part} />
      )}
    </ToolCard>
  );
};

export default DeliverFileCard;
