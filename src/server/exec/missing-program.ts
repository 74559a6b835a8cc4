/** Programs that people often have outside of what commands see: in a home, in `/opt`, or by a tool of its own. */
const OFTEN_ELSEWHERE =
  "brew|bun|bunx|cargo|composer|conda|corepack|deno|dotnet|gem|go|java|node|npm|npx|php|pip|pip3|pipx|pnpm|poetry|python|python3|ruby|rustc|uv|uvx|yarn";

/** How shells, `env`, and the starters of our sandboxes report that a program is missing. */
const NOT_FOUND: readonly RegExp[] = [
  String.raw`(?:^|: )(${OFTEN_ELSEWHERE}): (?:command )?not found\s*$`,
  String.raw`^(?:\S*/)?env: (?:can't execute )?['‘"]?(${OFTEN_ELSEWHERE})['’"]?: No such file or directory\s*$`,
  String.raw`^(?:\S*/)?(${OFTEN_ELSEWHERE}): No such file or directory\s*$`,
].map((source) => new RegExp(source, "m"));

/** @returns a sentence that names the setting, where a failed command has not found such a program. */
export const explainMissingProgram = (output: string): string | undefined => {
  const name = NOT_FOUND.map((pattern) => pattern.exec(output)?.[1]).find(Boolean);
  return name === undefined
    ? undefined
    : `Commands do not see a program ${name}. If this machine has one outside of /usr, the operator can show its folder to commands with PARLEY_EXEC_PATHS.`;
};
