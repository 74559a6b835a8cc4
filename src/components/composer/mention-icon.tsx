import { Boxes, FileText, MessageSquareText, Wrench } from "lucide-react";

const ICON = {
  tool: Wrench,
  group: Boxes,
  prompt: MessageSquareText,
  resource: FileText,
  chat: MessageSquareText,
};

/** The icon for the kind of a mention or a command. */
export const MentionIcon = ({ kind }: { kind: keyof typeof ICON }) => {
  const Icon = ICON[kind];
  return <Icon aria-hidden size={14} className="shrink-0 text-muted" />;
};
