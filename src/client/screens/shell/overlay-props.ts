import type { MenuItem } from "@/components/ui/open-menu";

/** What the keyboard opens over the page. */
export type OverlayProps = {
  /** What was typed while it was loaded. */
  typed: string;
  /** The items of the menu of the page. */
  pageItems: readonly MenuItem[];
  onClose: () => void;
  showShortcuts: () => void;
};

/** The key of a stored value, which is "off" without shortcuts of a single key. */
export const SINGLE_KEYS = "parley-single-keys";
