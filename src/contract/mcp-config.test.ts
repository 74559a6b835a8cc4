import { describe, expect, it } from "vitest";
import { type McpConfigEntry, parseMcpConfig } from "./mcp-config";

const parse = (config: unknown): McpConfigEntry[] => {
  const parsed = parseMcpConfig(typeof config === "string" ? config : JSON.stringify(config));
  if ("error" in parsed) throw new Error(parsed.error);
  return parsed.entries;
};

describe("a pasted configuration of MCP servers", () => {
  it("is read as Claude Desktop writes it, with secrets apart", () => {
    const env = { GITHUB_PERSONAL_ACCESS_TOKEN: "ghp_abc", LOG_LEVEL: "info", PORT: 8080 };
    const github = { command: "npx", args: ["-y", "@example/github"], env, disabled: true };
    expect(parse({ mcpServers: { GitHub_Tools: github } })).toEqual([
      {
        key: "GitHub_Tools",
        errors: [],
        server: {
          name: "github-tools",
          transport: {
            type: "stdio",
            command: "npx",
            args: ["-y", "@example/github"],
            env: { LOG_LEVEL: "info", PORT: "8080" },
            network: false,
          },
          approval: "annotations",
          timeout_seconds: 60,
          enabled: false,
          secrets: { GITHUB_PERSONAL_ACCESS_TOKEN: "ghp_abc" },
        },
      },
    ]);
  });

  it.each([
    ["Cursor", { mcpServers: { wiki: { url: "https://mcp.example.org/mcp" } } }],
    ["VS Code", { servers: { wiki: { type: "http", url: "https://mcp.example.org/mcp" } } }],
    [
      "the settings of VS Code",
      { mcp: { servers: { wiki: { url: "https://mcp.example.org/mcp" } } } },
    ],
    ["documentation", { wiki: { url: "https://mcp.example.org/mcp" } }],
  ])("is read as %s writes it", (_, config) => {
    expect(parse(config)).toMatchObject([
      { server: { name: "wiki", transport: { type: "http", url: "https://mcp.example.org/mcp" } } },
    ]);
  });

  it("takes what looks like a token for a secret, and a variable of the server for none", () => {
    const headers = {
      Authorization: "Bearer ${MCP_TOKEN}",
      "X-Other": "0123456789abcdef0123456789abcdef",
      "X-Team": "docs",
    };
    const [entry] = parse({
      mcpServers: { wiki: { url: "https://mcp.example.org/mcp", headers } },
    });
    expect(entry?.server).toMatchObject({
      transport: { headers: { Authorization: "Bearer ${MCP_TOKEN}", "X-Team": "docs" } },
      secrets: { "X-Other": "0123456789abcdef0123456789abcdef" },
    });
  });

  it.each([
    [{}, /no command and no url|not an address/],
    [7, /not an object/],
    [{ type: "sse", url: "https://mcp.example.org/sse" }, /outdated/],
    [{ url: "nowhere" }, /not an address/],
    [{ type: "stdio" }, /no command/],
    [{ command: "npx", env: { A: { b: 1 } } }, /the value of A is not a text/],
    [{ command: "npx", env: ["A"] }, /env is not an object/],
    [{ command: "npx", env: { API_KEY: "${input:key}" } }, /in place of \$\{input:key\}/],
    [{ command: "npx", env: { HOME_DIR: "${HOME}" } }, /begin with MCP_/],
    [{ command: "npx", args: [1] }, /args, 0/],
  ])("says of %j why it cannot be added, and adds the others", (broken, error) => {
    const entries = parse({ mcpServers: { broken, good: { command: "npx" } } });
    expect(entries).toMatchObject([
      { key: "broken", server: undefined },
      { key: "good", errors: [] },
    ]);
    expect(entries[0]?.errors.join(" ")).toMatch(error);
  });

  it("refuses the second of two entries with one name", () => {
    const [, second] = parse({ "my server": { command: "a" }, "My-Server": { command: "b" } });
    expect(second?.errors).toEqual(["Its name here, my-server, is that of my server, too."]);
  });

  it.each([
    ["{", /not JSON/],
    ["[]", /no servers/],
    ['{"mcpServers": {}}', /no servers/],
    ['{"theme": "dark"}', /no servers/],
  ])("says what is wrong with %s", (text, error) => {
    const parsed = parseMcpConfig(text);
    expect("error" in parsed && parsed.error).toMatch(error);
  });
});
