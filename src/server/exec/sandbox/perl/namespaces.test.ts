import { expect, it } from "vitest";
import { runPerl, type PerlOutcome } from "@/test/run-perl";
import namespaces from "./namespaces.pl?raw";

const isRoot = process.getuid?.() === 0;

const run = (script: string): Promise<PerlOutcome> =>
  runPerl({ files: [namespaces], script, settings: { isRoot } });

it("gives the account another id, and no privilege or namespace of its own", async () => {
  const { stdout, stderr } = await run(`
    leave_root() if $settings->{isRoot};
    enter_user_namespace(1000);
    give_up_privileges();
    exec "sh", "-c", "id -u; id -g; grep -cE 'Cap(Inh|Prm|Eff|Bnd|Amb):.0+\\$' /proc/self/status; unshare --user true";`);
  expect(stdout).toBe("1000\n1000\n5\n");
  expect(stderr).toContain("unshare");
});

it("ends as the first process of the namespaces, which sees no other", async () => {
  const { stdout, exitCode } = await run(`
    enter_user_namespace(0) unless $settings->{isRoot};
    enter_namespaces("");
    print "$$ ";
    exec "sh", "-c", "uname -n; grep -c : /proc/net/dev; exit 6";`);
  expect({ stdout, exitCode }).toEqual({ stdout: "1 sandbox\n1\n", exitCode: 6 });
});

it("reaches its own loopback", async () => {
  const { stdout } = await run(`
    enter_user_namespace(0) unless $settings->{isRoot};
    enter_namespaces("");
    socket(my $listener, $AF_INET, $SOCK_STREAM, 0);
    my $address = pack("S n C4 x8", $AF_INET, 9, 127, 0, 0, 1);
    bind($listener, $address) && listen($listener, 1) or die $!;
    socket(my $client, $AF_INET, $SOCK_STREAM, 0);
    print connect($client, $address) ? "reached" : $!;`);
  expect(stdout).toBe("reached");
});

it.runIf(isRoot)("leaves the account of root for one that owns nothing", async () => {
  const { stdout } = await run('leave_root(); exec "sh", "-c", "id -u; id -g; id -G"');
  expect(stdout).toBe("65534\n65534\n65534\n");
});
