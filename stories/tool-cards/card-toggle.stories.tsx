import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { FileText } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { expect, fn } from "storybook/test";
import { CardToggle } from "@/components/tool-cards/card-toggle";
import { showStates } from "../show-states";

const meta = {
  component: CardToggle,
  args: {
    isOpen: false,
    onToggle: fn(),
    bodyId: "body",
    icon: FileText,
    children: <span className="min-w-0 flex-1 truncate font-medium">Read a file</span>,
  },
  render: (args) => <Card {...args} />,
} satisfies Meta<typeof CardToggle>;
export default meta;
type Story = StoryObj<typeof meta>;

/** A card that opens. */
const Card = (props: ComponentProps<typeof CardToggle>) => {
  const [isOpen, setOpen] = useState(props.isOpen);
  return (
    <div className="overflow-hidden rounded-lg border">
      <CardToggle {...props} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && (
        <p id={props.bodyId} className="border-t p-3">
          The content of the file
        </p>
      )}
    </div>
  );
};

export const States: Story = showStates(meta, {
  Closed: {},
  Open: { args: { isOpen: true } },
  "Long text": {
    args: {
      children: <span className="min-w-0 flex-1 truncate font-medium">{"long ".repeat(80)}</span>,
    },
  },
});

export const TestKeyboard: Story = {
  name: "(Test) Enter opens and closes, and names what it opens",
  play: async ({ canvas, userEvent }) => {
    const toggle = canvas.getByRole("button", { name: "Read a file", expanded: false });
    await expect(toggle).not.toHaveAttribute("aria-controls");
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    const body = canvas.getByText("The content of the file");
    await expect(toggle).toHaveAttribute("aria-expanded", "true");
    await expect(toggle).toHaveAttribute("aria-controls", body.id);
    await userEvent.keyboard("{Enter}");
    await expect(body).not.toBeInTheDocument();
    await expect(toggle).toHaveFocus();
  },
};
