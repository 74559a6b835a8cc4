import { MCP_VARIABLE } from "@/contract/mcp-server";

/** Variables of the environment that servers may get, by their names. */
export type McpVariables = Readonly<Record<string, string>>;

/**
 * Replaces `${MCP_…}` in values by variables of the environment.
 *
 * @throws {Error} a sentence, for a variable that is not set.
 */
export const fillVariables = (
  values: Readonly<Record<string, string>>,
  variables: McpVariables,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replace(MCP_VARIABLE, (_, variable: string) => {
        const found = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
        if (found !== undefined) return found;
        throw new Error(
          `The variable ${variable} is not set: set it where this server runs, and start the server again.`,
        );
      }),
    ]),
  );
