import { InterruptedAgent } from "@/contract/agent";
import { CircleSlash, CircleStop } from "lucide-react";
import { AddressedAgent } from "@/components/tool-cards/addressed-agent";
import { Outcome } from "@/components/tool-cards/outcome";
import type { Mark } from "@/components/tool-cards/state-mark";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

const STOPPED: Mark = { word: "Stopped", icon: CircleStop, tone: "text-muted" };
const IDLE: Mark = { word: "Was idle", icon: CircleSlash, tone: "text-muted" };

/** Shows whether an agent was stopped, or had nothing to stop. */
export const InterruptAgentCard = ({ output, ...props }: OutputCardProps<InterruptedAgent>) => (
  <ToolCard
    {...props}
    icon={CircleStop}
    label="Stop agent"
    detail={undefined}
    mark={output && (output.interrupted ? STOPPED : IDLE)}
  >
    <AddressedAgent {...props} />
    {output ? (
      <p className="text-sm text-muted">
        {output.interrupted
          ? "The agent was stopped. Its report is what it had written so far."
          : "The agent was not working, so there was nothing to stop."}
      </p>
    ) : (
      <Outcome part={props.part} />
    )}
  </ToolCard>
);

export default withOutput(InterruptedAgent, InterruptAgentCard);
