import type { Decorator, Preview } from "@storybook/nextjs-vite";
import { configure } from "storybook/test";
import { isBehaviorTest } from "../stories/story-titles.ts";
import { StoryColumn, StoryInBothThemes, StoryPanes } from "./story-frames.tsx";
// The product has its font from Next.
import "@fontsource-variable/inter";
import "../src/app/globals.css";

// Only what never happens takes as long, on a busy machine too.
configure({ asyncUtilTimeout: 60_000 });

const withTheme: Decorator = (Story, { id, globals, viewMode }) => {
  const theme = String(globals.theme);
  const root = document.documentElement;
  // On the document, as in the product, so that popups at its end have the theme too.
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  else delete root.dataset.theme;
  if (theme !== "both") return <Story />;
  // A page of documents has too many stories for a frame each.
  return viewMode === "docs" ? (
    <StoryPanes>
      <Story />
    </StoryPanes>
  ) : (
    <StoryInBothThemes storyId={id} />
  );
};

const withColumn: Decorator = (Story, { title }) => (
  <StoryColumn title={title}>
    <Story />
  </StoryColumn>
);

const preview: Preview = {
  parameters: {
    nextjs: { appDirectory: true },
    a11y: {
      test: "error",
      // Popups trap the focus with hidden, focusable guard elements, which axe reports as invisible
      // controls.
      context: { exclude: ["[data-base-ui-focus-guard]"] },
    },
    docs: {
      stories: { filter: ({ name }: { name: string }) => !isBehaviorTest(name) },
    },
    // The toolbar of themes sets the background.
    backgrounds: { disable: true },
    options: {
      storySort: {
        // Storybook reads this list without running the file, so it cannot be imported.
        order: [
          "Start",
          "Tokens",
          "Words",
          "Pages",
          "Chat",
          "Composer",
          "Answering",
          "Approvals",
          "Tool cards",
          "Sidebar",
          "Keyboard",
          "Settings",
          "Playground",
          "API reference",
          "Account",
          "Building blocks",
        ],
      },
    },
    viewport: {
      options: {
        // The name that stories of narrow layouts use.
        mobile1: {
          name: "Small phone, 320",
          styles: { width: "320px", height: "568px" },
          type: "mobile",
        },
        phone: { name: "Phone, 390", styles: { width: "390px", height: "844px" }, type: "mobile" },
        tablet: {
          name: "Tablet, 768",
          styles: { width: "768px", height: "1024px" },
          type: "tablet",
        },
        desktop: {
          name: "Desktop, 1440",
          styles: { width: "1440px", height: "900px" },
          type: "desktop",
        },
      },
    },
  },
  globalTypes: {
    theme: {
      description: "Theme",
      toolbar: {
        icon: "contrast",
        dynamicTitle: true,
        items: [
          { value: "system", title: "System theme", icon: "browser" },
          { value: "light", title: "Light theme", icon: "sun" },
          { value: "dark", title: "Dark theme", icon: "moon" },
          { value: "both", title: "Both themes", icon: "sidebyside" },
        ],
      },
    },
  },
  initialGlobals: { theme: "system" },
  decorators: [withColumn, withTheme],
  tags: ["autodocs"],
};

export default preview;
