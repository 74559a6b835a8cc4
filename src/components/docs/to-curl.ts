import type { ReferenceRequest } from "./reference";

type Target = {
  /** The address of the API, such as `http://localhost:3000/api/v1`. */
  baseUrl: string;
  /** The text of a key; without one, the command reads it from a variable. */
  key: string | undefined;
};

/** Creates the shell command of a request; values of the path are variables above it. */
export const toCurl = (request: ReferenceRequest, { baseUrl, key }: Target): string => {
  const { method, path, pathValues, needsKey, isStream, payload } = request;
  const assignments = pathValues.map(([name, value]) => `${toVariable(name)}=${quote(value)}`);
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${toVariable(name)}`);
  const isDefaultMethod =
    method === (payload.kind === "json" || payload.kind === "form" ? "POST" : "GET");
  const options = [
    ...(isDefaultMethod ? [] : [`--request ${method}`]),
    ...(isStream ? ["--no-buffer"] : []),
    ...(needsKey ? [`--header "Authorization: Bearer ${key ?? "$PARLEY_API_KEY"}"`] : []),
    ...toPayloadOptions(payload),
  ];
  const command = [`curl "${baseUrl}${address}"`, ...options].join(" \\\n  ");
  return [...assignments, command].join("\n");
};

const toPayloadOptions = (payload: ReferenceRequest["payload"]): string[] => {
  switch (payload.kind) {
    case "none":
      return [];
    case "json":
      return [`--header "Content-Type: application/json"`, `--data ${quote(payload.text)}`];
    case "form":
      return payload.fields.map(([name, value]) => `--form ${quote(`${name}=${value}`)}`);
    case "download":
      return ["--remote-name", "--remote-header-name"];
  }
};

const toVariable = (name: string): string => name.toUpperCase();

/** Words of these characters mean themselves in a shell. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

const quote = (text: string): string =>
  PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
