import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Playground } from "@/components/playground/playground";
import { TOOL_EXAMPLES } from "@/components/playground/tool-examples";
import { PlaygroundWithDraft } from "./playground-with-draft";

const [{ draft }] = TOOL_EXAMPLES;

const meta = {
  component: Playground,
  parameters: { layout: "fullscreen" },
  render: (args) => (
    <div className="flex h-screen flex-col">
      <PlaygroundWithDraft {...args} />
    </div>
  ),
  args: {
    draft,
    onChange: fn(),
    trial: undefined,
    errors: {},
    onStart: fn(),
    isStarting: false,
    failure: undefined,
    modelPicker: null,
    keepButton: null,
    origin: "http://127.0.0.1:3000",
    onNavigate: fn(),
  },
} satisfies Meta<typeof Playground>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Example: Story = {};
export const Starting: Story = { args: { isStarting: true } };
export const Failed: Story = {
  args: { failure: "The server cannot be reached. Check the connection and try again." },
};
export const Invalid: Story = {
  args: { draft: { ...draft, outputSchema: '{\n  "type": "object",\n}' } },
};

export const TestLive: Story = {
  name: "(Test) The form follows the schema, and stays while the schema is at fault",
  play: async ({ args, canvas, userEvent }) => {
    const schema = canvas.getByRole("textbox", { name: "Output schema" });
    await userEvent.clear(schema);
    await expect(canvas.getByRole("radio", { name: "Yes" })).toBeVisible();
    await expect(canvas.getByText(/This is the form of before/)).toBeVisible();
    await userEvent.click(schema);
    await userEvent.paste(
      '{"type":"object","properties":{"note":{"type":"string","title":"Note"}},"required":["note"]}',
    );
    const note = canvas.getByRole("textbox", { name: /^Note/ });
    await expect(canvas.queryByText(/This is the form of before/)).toBeNull();
    await userEvent.type(note, "It is fine.");
    await userEvent.click(canvas.getByRole("radio", { name: "Code" }));
    await expect(canvas.getByRole("region", { name: "Shell script" })).toHaveTextContent(
      '"note": "It is fine."',
    );
    await userEvent.click(canvas.getByRole("button", { name: "Start a chat with it" }));
    await expect(args.onStart).toHaveBeenCalledOnce();
  },
};
