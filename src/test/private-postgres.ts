// eslint-disable-next-line no-restricted-imports -- the scripts lie outside of `src`, for which `@` stands
export { startPrivatePostgres } from "../../scripts/private-postgres.mjs";
