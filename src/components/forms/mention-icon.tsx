import { Boxes, FileText, MessageSquareText, Wrench } from "lucide-react";

const ICON = { tool: Wrench, group: Boxes, prompt: MessageSquareText, resource: FileText };

/** Shows what a name is that of. */
export const MentionIcon = ({ kind }: { kind: keyof typeof ICON }) => {
  const Icon = ICON[kind];
  return <Icon aria-hidden size={14} className="shrink-0 text-muted" />;
};
