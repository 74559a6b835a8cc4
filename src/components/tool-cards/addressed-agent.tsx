import { isUuid } from "@/lib/is-uuid";
import { AgentLink } from "./agent-row";
import { getTextArg, parseCallArgs } from "./call-args";
import type { ToolCardProps } from "./tool-card";

/** Links to the agent that a call names, of which it has only the id. */
export const AddressedAgent = ({ part, place }: ToolCardProps) => {
  const id = getTextArg(parseCallArgs(part), "chat_id");
  if (id === undefined) return null;
  return (
    <p className="text-sm wrap-anywhere">
      {isUuid(id) ? (
        <AgentLink chatId={id} title="Open the agent's chat" onNavigate={place?.onNavigate} />
      ) : (
        `No chat has the id “${id}”.`
      )}
    </p>
  );
};
