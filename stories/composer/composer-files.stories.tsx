import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { fn } from "storybook/test";
import ComposerFiles from "@/components/composer/composer-files";
import type { Model } from "@/contract/model";
import { showStates } from "../show-states";
import { DAMAGED, DATABASE, PHOTO, REPORT, TABLE } from "./attachment-fixtures";

const MODEL: Model = {
  id: "0197a1f0-0000-7000-8000-000000000001",
  provider: "openai-compatible",
  model: "qwen3",
  name: "Qwen 3",
  context_limit: 32_000,
  tool_protocol: "native",
  enabled: true,
  is_default: true,
};

const meta = {
  component: ComposerFiles,
  args: {
    items: [PHOTO, REPORT, TABLE],
    model: MODEL,
    onRemove: fn(),
    onRetry: fn(),
    onMove: fn(),
  },
} satisfies Meta<typeof ComposerFiles>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Several: {},
  "The model reads text only": { args: { model: { ...MODEL, abilities: ["tools"] } } },
  "What no model reads": { args: { items: [DAMAGED, DATABASE] } },
  "Without a model": { args: { model: undefined } },
});
