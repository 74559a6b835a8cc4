import { clsx } from "clsx";
import type { Density } from "@/contract/appearance";

type AppearancePreviewProps = {
  /** Undefined shows the theme of the page. */
  theme: "light" | "dark" | undefined;
  density: Density;
};

/** A small picture of a page, drawn with the colors of a theme. */
export const AppearancePreview = ({ theme, density }: AppearancePreviewProps) => {
  const isCompact = density === "compact";
  return (
    <div aria-hidden data-theme={theme} className="flex h-[5.5rem] overflow-hidden bg-bg">
      <div
        className={clsx(
          "flex w-2/5 max-w-[4.5rem] flex-col border-r bg-surface p-[6px]",
          isCompact ? "gap-[4px]" : "gap-[8px]",
        )}
      >
        {CHAT_WIDTHS.slice(0, isCompact ? 8 : 6).map((width, row) => (
          <span
            key={row}
            className={clsx(
              "h-[5px] shrink-0 rounded-full",
              row === 1 ? "bg-accent" : "bg-border-strong",
              width,
            )}
          />
        ))}
      </div>
      <div
        className={clsx(
          "flex min-w-0 flex-1 flex-col p-[8px]",
          isCompact ? "gap-[4px]" : "gap-[7px]",
        )}
      >
        <span className="h-[11px] w-1/2 shrink-0 self-end rounded-sm bg-accent-soft" />
        {LINE_WIDTHS.slice(0, isCompact ? 7 : 5).map((width, line) => (
          <span
            key={line}
            className={clsx("h-[5px] shrink-0 rounded-full bg-(--text-muted)", width)}
          />
        ))}
      </div>
    </div>
  );
};

const CHAT_WIDTHS = ["w-4/5", "w-full", "w-3/5", "w-4/5", "w-2/3", "w-full", "w-3/5", "w-4/5"];
const LINE_WIDTHS = ["w-full", "w-11/12", "w-4/5", "w-full", "w-2/3", "w-5/6", "w-1/2"];
