import { MCP_VARIABLE } from "@/contract/mcp-server";

/**
 * Replaces `${MCP_…}` in values by variables of the environment.
 *
 * @param readVariable may throw a sentence, which is passed on.
 */
export const fillVariables = (
  values: Readonly<Record<string, string>>,
  readVariable: (name: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replace(MCP_VARIABLE, (_, variable: string) => readVariable(variable)),
    ]),
  );
