import { useCallback, useEffect, useState } from "react";
import { type Appearance, toAppearance } from "@/contract/appearance";
import { applyAppearance, readStoredAppearance, storeAppearance } from "./appearance";

/** Its messages are appearances: another process of the browser may not find a new cookie at once. */
const CHANNEL = "parley-appearance";

/**
 * Holds the appearance of this browser and shares changes with its other tabs.
 *
 * @param initial what the server rendered the page in.
 */
export const useAppearance = (initial: Appearance) => {
  const [appearance, setAppearance] = useState(initial);
  const show = useCallback((next: Appearance): void => {
    setAppearance((shown) => (isSame(shown, next) ? shown : next));
    applyAppearance(next);
  }, []);
  // Syncs with the other tabs of this browser, which show the same settings.
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    // Another tab may be of another version.
    channel.onmessage = ({ data }: MessageEvent<Partial<Appearance>>) => show(toAppearance(data));
    const showStored = (): void => show(readStoredAppearance());
    // Another tab may have changed it since the server rendered this page.
    showStored();
    return () => channel.close();
  }, [show]);
  const changeAppearance = useCallback(
    (change: Partial<Appearance>): void => {
      const next = { ...appearance, ...change };
      storeAppearance(next);
      show(next);
      const channel = new BroadcastChannel(CHANNEL);
      channel.postMessage(next);
      channel.close();
    },
    [appearance, show],
  );
  return { appearance, changeAppearance };
};

const isSame = (one: Appearance, other: Appearance): boolean =>
  one.theme === other.theme && one.density === other.density && one.sidebar === other.sidebar;
