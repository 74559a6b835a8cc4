import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { RecipesSettings } from "@/components/settings/recipes-settings";
import { showStates } from "../show-states";
import { failed, invalid, ready, UNAVAILABLE } from "./fixtures";
import { RECIPES, WEATHER, WEATHER_INPUT } from "./recipe-fixtures";

const meta = {
  component: RecipesSettings,
  args: {
    items: ready(RECIPES),
    onReload: fn(),
    onCreate: fn(),
    onUpdate: fn(),
    isSaving: false,
    saveProblem: undefined,
    onCloseForm: fn(),
    onChange: fn(),
    onDelete: fn(),
    changeProblem: undefined,
    onTry: fn(),
    trials: {},
    folder: null,
    onReloadFiles: fn(),
    isReloadingFiles: false,
    reloadProblem: undefined,
  },
} satisfies Meta<typeof RecipesSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Many: {},
  Empty: { args: { items: ready([]) } },
  Loading: { args: { items: { state: "loading" } } },
  "Load error": { args: { items: failed } },
  "With folder": { args: { folder: "/srv/parley/recipes" } },
  "Refreshing, files": { args: { folder: "/srv/parley/recipes", isReloadingFiles: true } },
  "Load error, files": { args: { folder: "/srv/parley/recipes", reloadProblem: UNAVAILABLE } },
  "Change error": { args: { changeProblem: UNAVAILABLE } },
});

export const TestAdd: Story = {
  name: "(Test) A recipe is added by its commands, parameters and example",
  args: { items: ready([]) },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add recipe" }));
    await screen.findByRole("form");
    await userEvent.click(await screen.findByRole("button", { name: "Save" }));
    await expect(args.onCreate).not.toHaveBeenCalled();
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "shout");
    await userEvent.type(screen.getByRole("textbox", { name: "Description" }), "Shouts");
    await userEvent.type(
      screen.getByRole("textbox", { name: "Commands" }),
      "printf %s '${{text} !'",
    );
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await expect(args.onCreate).toHaveBeenCalledWith(
      expect.objectContaining({
        name: "shout",
        steps: [["printf", "%s", "${text} !"]],
        example: { text: "Hello" },
      }),
      expect.any(Function),
    );
  },
};

export const TestReload: Story = {
  name: "(Test) The files of the folder are loaded again",
  args: { folder: "/srv/parley/recipes" },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reload files" }));
    await expect(args.onReloadFiles).toHaveBeenCalledOnce();
    await expect(canvas.queryByRole("button", { name: "Edit code_runner" })).toBeNull();
    await expect(canvas.getByText("lint.ts, line 12")).toBeVisible();
  },
};

export const TestToggle: Story = {
  name: "(Test) A recipe is switched off as it is declared",
  args: { items: ready([WEATHER]) },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "More for weather" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Switch off" }));
    await expect(args.onChange).toHaveBeenCalledWith({ ...WEATHER_INPUT, enabled: false });
  },
};

export const TestSaveError: Story = {
  name: "(Test) A refused command is at its field",
  args: {
    items: ready([WEATHER]),
    saveProblem: invalid("/steps/0/1", "has no value for ${town}"),
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit weather" }));
    await screen.findByRole("form");
    await expect(await screen.findByText("The recipe was not saved")).toBeVisible();
    await expect(screen.getByRole("textbox", { name: "Commands" })).toBeInvalid();
  },
};
