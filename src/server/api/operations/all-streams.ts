import type { StreamOperation } from "@/server/api/operation";
import { watchAll } from "./watch-all";
import { watchChat } from "./watch-chat";

/** Everything that can be watched. */
export const streams: readonly StreamOperation[] = [watchChat, watchAll];
