import { type ComponentType, useState } from "react";
import { flushSync } from "react-dom";
import { collectTyping } from "@/client/collect-typing";
import { importPart } from "@/lib/import-part";
import type { FindBarProps } from "./find-bar-props";

type FindBar = Pick<FindBarProps, "typed" | "openCount"> & {
  Content: ComponentType<FindBarProps>;
};

/** The bar that finds texts in the chat on the screen. Its scripts are loaded when it is asked for. */
export const useFindBar = () => {
  const [bar, setBar] = useState<FindBar>();
  const open = (): void => {
    const typing = collectTyping();
    importPart(() => import("./find-in-chat"))
      .then(({ default: Content }) => {
        const typed = typing.end();
        if (typed === undefined) return;
        // A key before the field has the focus would be lost.
        flushSync(() => {
          setBar((before) => ({ Content, typed, openCount: (before?.openCount ?? 0) + 1 }));
        });
      })
      .catch(reportError);
  };
  return { bar, open, close: () => setBar(undefined) };
};
