import { Save } from "lucide-react";
import { toFileUrl } from "@/lib/file-url";
import { parseCallArgs, getTextArg } from "@/components/tool-cards/call-args";
import { toCardState } from "@/components/tool-cards/card-state";
import { Outcome } from "@/components/tool-cards/outcome";
import { ToolCard, type ToolCardProps } from "@/components/tool-cards/tool-card";

/** Shows where an artifact was written, with a link to it: the call has it as an argument only. */
const SaveArtifactCard = ({ part, ...rest }: ToolCardProps) => {
  const args = parseCallArgs(part);
  const id = getTextArg(args, "artifact_id");
  return (
    <ToolCard {...rest} part={part} icon={Save} label="Save file" detail={getTextArg(args, "path")}>
      <Outcome part={part} />
      {id !== undefined && toCardState(part) === "completed" && (
        <p>
          <a
            href={toFileUrl(id)}
            target="_blank"
            rel="noreferrer"
            className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
          >
            Open the artifact
          </a>
        </p>
      )}
    </ToolCard>
  );
};

export default SaveArtifactCard;
