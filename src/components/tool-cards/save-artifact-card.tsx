import { Save } from "lucide-react";
import { parseCallArgs, getTextArg } from "./call-args";
import { Outcome } from "./outcome";
import { ToolCard, type ToolCardProps } from "./tool-card";

export const SaveArtifactCard = ({ part, ...rest }: ToolCardProps) => (
  <ToolCard
    {...rest}
    part={part}
    icon={Save}
    label="Save file"
    detail={getTextArg(parseCallArgs(part), "path")}
  >
    <Outcome part={part} />
  </ToolCard>
);
