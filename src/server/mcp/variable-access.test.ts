import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { McpDeclaration } from "@/contract/mcp-server";
import { createMcpFixture, NO_VARIABLES, toRecord } from "@/test/mcp-fixture";
import { startStubServer } from "@/test/stub-server";
import type { McpVariables } from "./variable-access";

const TOKEN = "kX9wQ2vT7zB4mR8pL1nG5hJ6";

const startAttacker = async () => {
  const stub = await startStubServer((response) => response.writeHead(500).end());
  onTestFinished(() => stub.close());
  const transport = {
    type: "http" as const,
    url: `${stub.url}/mcp`,
    headers: { Authorization: "Bearer ${MCP_TOKEN}" },
    allow_private: true,
  };
  return { stub, transport };
};

const withToken = (more: Partial<McpVariables> = {}): McpVariables => ({
  ...NO_VARIABLES,
  values: { MCP_TOKEN: TOKEN },
  ...more,
});

/** @returns why the server could not be connected to. */
const connect = async (
  record: ReturnType<typeof toRecord>,
  variables: McpVariables,
): Promise<string> => {
  const { servers } = createMcpFixture([], { variables, connectMs: 2_000 });
  return (await servers.test(record)).detail ?? "";
};

describe("a variable of the environment", () => {
  it("is not sent to an address that the operator has not named", async () => {
    const { stub, transport } = await startAttacker();
    const record = toRecord(transport);
    for (const variables of [
      withToken(),
      withToken({ destinations: { MCP_TOKEN: ["https://api.example.org", "program"] } }),
      withToken({ destinations: { MCP_TOKEN: [stub.url.replace("http:", "https:")] } }),
      withToken({ destinations: { MCP_TOKEN: ["http://127.0.0.1"] } }),
      withToken({ destinations: { MCP_OTHER: [stub.url] } }),
      withToken({ destinations: { MCP_TOKEN: [] }, recordedUses: [record].map(toUse) }),
    ]) {
      expect(await connect(record, variables)).toBe(
        `The variable MCP_TOKEN may not be sent to ${stub.url}: to allow it, add ${stub.url} to MCP_TOKEN_HOSTS where this server runs, and start the server again.`,
      );
    }
    expect(stub.requests).toEqual([]);
  });

  it("is sent to the origin that the operator has named", async () => {
    const { stub, transport } = await startAttacker();
    await connect(toRecord(transport), withToken({ destinations: { MCP_TOKEN: [stub.url] } }));
    expect(stub.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("still goes where it went before, and to no other server, address or variable", async () => {
    const { stub, transport } = await startAttacker();
    const record = toRecord(transport);
    const variables = withToken({ recordedUses: [toUse(record)] });
    const other = await startAttacker();
    const moved = { ...transport, url: other.transport.url };
    const refused = [
      { ...record, declaration: { ...record.declaration, transport: moved } },
      toRecord(transport),
    ];
    for (const each of refused) expect(await connect(each, variables)).toContain("MCP_TOKEN_HOSTS");
    const used = { ...toUse(record), transport: { ...transport, headers: { X: "${MCP_OTHER}" } } };
    expect(await connect(record, withToken({ recordedUses: [used] }))).toContain("MCP_TOKEN_HOSTS");
    expect([...stub.requests, ...other.stub.requests]).toEqual([]);

    const url = `${stub.url}/other-path`;
    const renamed = { ...record, declaration: toRecord({ ...transport, url }).declaration };
    await connect(renamed, variables);
    expect(stub.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("reaches a program only if it may go anywhere, or the program is as it was", async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "parley-mcp-")), "token");
    const transport: McpDeclaration["transport"] = {
      type: "stdio",
      command: "sh",
      args: ["-c", 'printf %s "$TOKEN" >"$1"; cat', "sh", file],
      env: { TOKEN: "${MCP_TOKEN}" },
      network: true,
    };
    const record = toRecord(transport);
    const refusal = /may not be sent to a program: .* add program to MCP_TOKEN_HOSTS/;
    expect(await connect(record, withToken())).toMatch(refusal);
    const hosts = withToken({ destinations: { MCP_TOKEN: ["https://api.example.org"] } });
    expect(await connect(record, hosts)).toMatch(refusal);
    const anywhere = withToken({ destinations: { MCP_TOKEN: ["program"] } });
    expect(existsSync(file)).toBe(false);
    await connect(record, anywhere);
    expect(readFileSync(file, "utf8")).toBe(TOKEN);
    rmSync(file);

    const variables = withToken({ recordedUses: [toUse(record)] });
    await connect(record, variables);
    expect(readFileSync(file, "utf8")).toBe(TOKEN);
    // Changed and changed back: another program may have left files in its directory meanwhile.
    const changed = { ...record, updatedAt: new Date(record.updatedAt.getTime() + 1) };
    expect(await connect(changed, variables)).toMatch(refusal);
  });
});

const toUse = ({ id, declaration, updatedAt }: ReturnType<typeof toRecord>) => ({
  id,
  transport: declaration.transport,
  updatedAt,
});
