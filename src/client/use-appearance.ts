import { useCallback, useEffect, useState } from "react";
import { type Appearance, toAppearance } from "@/contract/appearance";
import { applyAppearance, storeAppearance } from "./appearance";

const CHANNEL = "parley-appearance";

/**
 * Holds the appearance of this browser and shares changes with its other tabs.
 *
 * @param initial what the server rendered the page in.
 */
export const useAppearance = (initial: Appearance) => {
  const [appearance, setAppearance] = useState(initial);
  // Syncs with the other tabs of this browser, which show the same settings.
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<Partial<Appearance>>) => {
      // Another tab may be of another version.
      const changed = toAppearance(data);
      setAppearance(changed);
      applyAppearance(changed);
    };
    return () => channel.close();
  }, []);
  const changeAppearance = useCallback(
    (change: Partial<Appearance>): void => {
      const next = { ...appearance, ...change };
      setAppearance(next);
      applyAppearance(next);
      storeAppearance(next);
      const channel = new BroadcastChannel(CHANNEL);
      channel.postMessage(next);
      channel.close();
    },
    [appearance],
  );
  return { appearance, changeAppearance };
};
