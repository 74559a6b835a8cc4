// eslint-disable-next-line no-restricted-imports -- the scripts lie outside of `src`, for which `@` stands
export { findFreePort } from "../../scripts/find-free-port.mjs";
