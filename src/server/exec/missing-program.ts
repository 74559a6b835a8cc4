/** Programs that people often have outside of what commands see: in a home, in `/opt`, or by a tool of its own. */
const OFTEN_ELSEWHERE: ReadonlySet<string> = new Set(
  "brew bun bunx cargo composer conda corepack deno dotnet gem go java node npm npx php pip pip3 pipx pnpm poetry python python3 ruby rustc uv uvx yarn".split(
    " ",
  ),
);

/** How shells, `env`, and the starters of our sandboxes report that a program is missing. */
const NOT_FOUND: readonly RegExp[] = [
  /(?:^|: )([a-z\d]+): (?:command )?not found\s*$/gm,
  /^(?:\S*\/)?env: (?:can't execute )?['‘"]?([a-z\d]+)['’"]?: No such file or directory\s*$/gm,
  /^(?:\S*\/)?([a-z\d]+): No such file or directory\s*$/gm,
];

/** @returns a sentence that names the setting, where a failed command has not found such a program. */
export const explainMissingProgram = (output: string): string | undefined => {
  const names = NOT_FOUND.flatMap((pattern) =>
    Array.from(output.matchAll(pattern), ([, name = ""]) => name),
  );
  const name = names.find((each) => OFTEN_ELSEWHERE.has(each));
  return name === undefined
    ? undefined
    : `Commands do not see a program ${name}. If this machine has one outside of /usr, the operator can show its folder to commands with PARLEY_EXEC_PATHS.`;
};
