import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { ReferenceRequest } from "./reference";
import { toCurl } from "./to-curl";

const GET: ReferenceRequest = {
  method: "GET",
  path: "/chats",
  pathValues: [],
  needsKey: true,
  isStream: false,
  payload: { kind: "none" },
};
const TARGET = { baseUrl: "http://localhost:3000/api/v1", key: "parley_secret" };

/** Runs a command in a shell in which `curl` prints its arguments as JSON. */
const listArguments = (command: string): unknown =>
  JSON.parse(
    execFileSync("bash", [
      "-c",
      `curl() { "${process.execPath}" -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"; }\n${command}`,
    ]).toString(),
  );

describe("toCurl", () => {
  it("reads the key from a variable until there is one", () => {
    expect(toCurl(GET, { ...TARGET, key: undefined })).toBe(
      'curl "http://localhost:3000/api/v1/chats" \\\n  --header "Authorization: Bearer $PARLEY_API_KEY"',
    );
    expect(listArguments(toCurl(GET, TARGET))).toContain("Authorization: Bearer parley_secret");
  });

  it("sends no key where none is needed", () => {
    expect(toCurl({ ...GET, needsKey: false }, TARGET)).not.toContain("parley_secret");
  });

  it("puts values of the path into variables", () => {
    const command = toCurl(
      { ...GET, method: "DELETE", path: "/chats/{chat_id}", pathValues: [["chat_id", "a b"]] },
      TARGET,
    );
    expect(listArguments(command)).toEqual([
      "http://localhost:3000/api/v1/chats/a b",
      "--request",
      "DELETE",
      "--header",
      "Authorization: Bearer parley_secret",
    ]);
  });

  it("passes JSON to the program as it is, with quotes and variables in it", () => {
    const text = JSON.stringify({ content: 'it\'s $HOME `id` "so"' }, null, 2);
    const command = toCurl({ ...GET, method: "POST", payload: { kind: "json", text } }, TARGET);
    expect(listArguments(command)).toContain(text);
    expect(command).not.toContain("--request");
  });

  it("shows events at once, and stores a file by its name", () => {
    expect(toCurl({ ...GET, isStream: true }, TARGET)).toContain("--no-buffer");
    expect(toCurl({ ...GET, payload: { kind: "download" } }, TARGET)).toContain("--remote-name");
  });

  it("sends a form", () => {
    const payload = { kind: "form", fields: [["file", "@report.csv"]] } as const;
    expect(listArguments(toCurl({ ...GET, method: "POST", payload }, TARGET))).toContain(
      "file=@report.csv",
    );
  });
});
