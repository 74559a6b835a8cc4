import type { ReactNode } from "react";
import { toStoryTitle } from "../stories/story-titles.ts";

const THEMES = ["light", "dark"] as const;

/** Shows a story in one frame per theme, in which its play function runs and its popups open. */
export const StoryInBothThemes = ({ storyId }: { storyId: string }) => (
  <div className="flex h-dvh flex-wrap">
    {THEMES.map((theme) => (
      <iframe
        key={theme}
        title={`${theme} theme`}
        src={`iframe.html?id=${storyId}&viewMode=story&globals=theme:${theme}`}
        className="h-full min-h-96 min-w-80 flex-1"
      />
    ))}
  </div>
);

/** Shows the same story once in each theme, in one document. */
export const StoryPanes = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap">
    {THEMES.map((theme) => (
      <div key={theme} data-theme={theme} className="min-w-80 flex-1 p-4">
        {children}
      </div>
    ))}
  </div>
);

/** The widths that the product gives its columns, by the groups of stories. */
const WIDTHS: readonly [titles: RegExp, className: string][] = [
  // These fill the page, or bring their column.
  [/^Chat\/(ChatHeader|EmptyChat|MessageList|MessageRow)$/, ""],
  [/^(Chat|Composer|Answering|Approvals|Tool cards)\//, "max-w-[46rem]"],
  [/^Settings\/SettingsNav$/, ""],
  [/^Account\/(LoginForm|SetupForm|PasswordField|NewPasswordField)$/, "max-w-sm"],
  [/^(Settings|Account)\//, "max-w-2xl"],
];

/** Gives a story the width of the column in which the product shows it. */
export const StoryColumn = ({ title, children }: { title: string; children: ReactNode }) => {
  // The tests of stories know the path of the file, not the title.
  const path = toStoryTitle(title);
  const width = WIDTHS.find(([titles]) => titles.test(path))?.[1] ?? "";
  return width === "" ? children : <div className={`mx-auto w-full ${width}`}>{children}</div>;
};
