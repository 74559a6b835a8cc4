import { createAddressPolicy } from "@/server/net/address-policy";
import { createGuardedFetch, type GuardedFetch } from "@/server/net/guarded-fetch";
import {
  createSearchProviders,
  type SearchProvider,
  type SearchSettings,
} from "./search-providers";

/** The settings of the environment that the web tools depend on. */
export type WebSettings = {
  webAllow: readonly string[];
  /** Of this server. */
  port: number;
  webSearch: SearchSettings;
};

/** What the web tools need of the app. */
export type WebDeps = {
  guardedFetch: GuardedFetch;
  /** In the order in which they are asked. */
  searchProviders: readonly SearchProvider[];
};

export const createWebDeps = ({ webAllow, port, webSearch }: WebSettings): WebDeps => ({
  guardedFetch: createGuardedFetch({
    policy: createAddressPolicy({ allow: webAllow, ownPort: port }),
  }),
  searchProviders: createSearchProviders(webSearch),
});
