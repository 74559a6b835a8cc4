import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SYSTEM_PROGRAMS } from "@/server/exec/sandbox/host-programs";
import { inspectHost } from "@/server/exec/sandbox/host-system";
import { runPerl, type PerlOutcome } from "@/test/run-perl";
import mountFiles from "./mount-files.pl?raw";
import namespaces from "./namespaces.pl?raw";

const { shown } = inspectHost([], SYSTEM_PROGRAMS);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "parley-mount-"));
  await writeFile(path.join(directory, "file"), "text\n");
});
afterEach(() => rm(directory, { recursive: true }));

const run = (script: string, args: string[]): Promise<PerlOutcome> =>
  runPerl({
    files: [namespaces, mountFiles],
    script: `
      my $script = pop @ARGV;
      enter_user_namespace(0) unless $settings->{isRoot};
      enter_namespaces($ARGV[3]);
      mount_files(@ARGV);
      exec "sh", "-c", "exec 2>&1; $script";`,
    settings: {
      isRoot: process.getuid?.() === 0,
      shown,
      hidden: ["/usr/share"],
      ownSettings: [{ path: "/etc/own", text: "own\n" }],
      workspace: "/workspace",
      callDirectory: "/call",
      nameServers: "/etc/resolv.conf",
      proxy: { path: "/proxy", port: 1 },
      tmpBytes: 4096,
      sharedMemoryBytes: 4096,
    },
    args: [...args, script],
  });

it("shows the workspace, the system and own settings, and nothing else", async () => {
  const script =
    "echo /*; cat /etc/own /workspace/file; echo more >/workspace/new; ls -A /usr/share";
  const { stdout } = await run(script, [directory, "", "", ""]);
  const system = shown.map((entry) => entry.path).filter((name) => path.dirname(name) === "/");
  const top = [...system, "/dev", "/etc", "/proc", "/tmp", "/workspace"].sort();
  expect(stdout).toBe(`${top.join(" ")}\nown\ntext\n`);
  expect(await readFile(path.join(directory, "new"), "utf8")).toBe("more\n");
});

it("lets nothing else be written", async () => {
  const script =
    "for f in /x /usr/x /etc/own /etc/x /proxy/x /usr/share/x; do true >$f && echo $f; done; echo >/dev/null; echo x >/tmp/x && cat /tmp/x";
  const { stdout } = await run(`(${script}) 2>/dev/null`, [directory, "", "", ""]);
  expect(stdout).toBe("x\n");
});

it("shows a second directory and a proxy where there are some", async () => {
  const script = "cat /call/file /proxy; echo x >/call/new; ls /etc/resolv.conf";
  const { stdout } = await run(script, ["/usr", directory, path.join(directory, "file"), ""]);
  expect(stdout).toMatch(/^text\ntext\n.*resolv.conf.*No such file/);
  expect(await readFile(path.join(directory, "new"), "utf8")).toBe("x\n");
});

it("shows the name servers where a command has the network of the host", async () => {
  const script = "cat /etc/resolv.conf; ls /proxy";
  const { stdout } = await run(script, [directory, "", "", "1"]);
  expect(stdout).toContain(await readFile("/etc/resolv.conf", "utf8"));
  expect(stdout).toContain("No such file");
});
