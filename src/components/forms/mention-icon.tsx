import { Boxes, Wrench } from "lucide-react";
import type { Mentionable } from "@/lib/mentions";

const ICON = { tool: Wrench, group: Boxes };

/** Shows whether a name is that of a tool or of a group. */
export const MentionIcon = ({ kind }: Pick<Mentionable, "kind">) => {
  const Icon = ICON[kind];
  return <Icon aria-hidden size={14} className="shrink-0 text-muted" />;
};
