import { Ellipsis } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { MenuItem } from "@/components/ui/open-menu";
import type { AutoSubmit, Chat } from "@/contract/chat";
import { formatCost, formatTokens } from "@/lib/format";

type ChatMenuProps = Pick<Chat, "usage"> & {
  /** What can be done with the chat as a whole. */
  items: readonly MenuItem[];
  autoSubmit: AutoSubmit;
  onAutoSubmitChange: (change: Partial<AutoSubmit>) => void;
  /** Whether the chat takes no changes, as it is archived. */
  isArchived: boolean;
};

/** The menu of the chat on the screen: what can be done with it, whether it goes on by itself, and what it has used. */
export const ChatMenu = (props: ChatMenuProps) => (
  <Menu
    trigger={<IconButton label="Actions for this chat" icon={<Ellipsis aria-hidden size={18} />} />}
    items={[
      ...props.items,
      { kind: "separator" },
      { kind: "heading", label: "When the tools have answered" },
      ...createAutoSubmitItems(props),
      ...(props.usage.input_tokens > 0 ? createUsageItems(props.usage) : []),
    ]}
  />
);

const createAutoSubmitItems = ({
  autoSubmit: value,
  onAutoSubmitChange: onChange,
  isArchived: disabled,
}: ChatMenuProps): MenuItem[] => {
  return [
    {
      kind: "switch",
      label: "Go on after a success",
      checked: value.success,
      onChange: (success) => onChange({ success }),
      disabled,
    },
    {
      kind: "switch",
      label: "Go on after an error",
      checked: value.error,
      onChange: (error) => onChange({ error }),
      disabled,
    },
  ];
};

const createUsageItems = ({
  input_tokens,
  output_tokens,
  cost_micros,
}: Chat["usage"]): MenuItem[] => [
  { kind: "separator" },
  {
    kind: "heading",
    label: [
      `${formatTokens(input_tokens)} tokens read, ${formatTokens(output_tokens)} written`,
      ...(cost_micros > 0 ? [formatCost(cost_micros)] : []),
    ].join(", "),
  },
];
