import { PackageCheck } from "lucide-react";
import { ArtifactImages } from "./artifact-images";
import { parseCallArgs, getTextArg } from "./call-args";
import { toCardState } from "./card-state";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

/** Starts open, as the file is what the person asked for. */
export const DeliverFileCard = ({ part, ...rest }: ToolCardProps) => {
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
