import { CircleSlash, CircleStop } from "lucide-react";
import { AddressedAgent } from "./addressed-agent";
import { Outcome } from "./outcome";
import type { Mark } from "./state-mark";
import { type BuiltinCardProps, ToolCard } from "./tool-card";

const STOPPED: Mark = { word: "Stopped", icon: CircleStop, tone: "text-muted" };
const IDLE: Mark = { word: "Was idle", icon: CircleSlash, tone: "text-muted" };

/** Shows whether an agent was stopped, or had nothing to stop. */
export const InterruptAgentCard = ({ output, ...props }: BuiltinCardProps<"interrupt_agent">) => (
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
