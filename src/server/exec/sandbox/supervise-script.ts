import { LEAVE_INPUT, createPerlFunctions, findMachine, type Machine } from "./perl-script";

/**
 * System calls that commands get an error for: what lies outside of namespaces (keyrings, which are
 * inherited), what takes memory or disk faster or less visibly than it can be counted, and what
 * many weaknesses of the kernel were reached by. Programs have other ways where they get these errors.
 */
const DENIED = {
  add_key: { x64: 248, arm64: 217, error: "EPERM" },
  request_key: { x64: 249, arm64: 218, error: "EPERM" },
  keyctl: { x64: 250, arm64: 219, error: "EPERM" },
  perf_event_open: { x64: 298, arm64: 241, error: "EPERM" },
  bpf: { x64: 321, arm64: 280, error: "EPERM" },
  userfaultfd: { x64: 323, arm64: 282, error: "EPERM" },
  fallocate: { x64: 285, arm64: 47, error: "EOPNOTSUPP" },
  shmget: { x64: 29, arm64: 194, error: "ENOSYS" },
  msgget: { x64: 68, arm64: 186, error: "ENOSYS" },
  memfd_create: { x64: 319, arm64: 279, error: "ENOSYS" },
  memfd_secret: { x64: 447, arm64: 447, error: "ENOSYS" },
  io_uring_setup: { x64: 425, arm64: 425, error: "ENOSYS" },
} as const;
const ERRORS = { EPERM: 1, ENOSYS: 38, EOPNOTSUPP: 95 };

/** The machine as the kernel names it, and the system call of which one operation is refused. */
const MACHINES: Record<Machine, { audit: number; ioctl: number }> = {
  x64: { audit: 0xc000003e, ioctl: 16 },
  arm64: { audit: 0xc00000b7, ioctl: 29 },
};

/** Numbers from here on are system calls of another interface of the same machine. */
const FOREIGN_CALLS = 0x40000000;
/** Types into a terminal as if it came from its keyboard. */
const TIOCSTI = 0x5412;

/** Operations of classic BPF, and offsets in the `seccomp_data` that they read. */
const [LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [CALL, MACHINE, SECOND_ARGUMENT] = [0, 4, 24];
const ALLOW = 0x7fff0000;
const fail = (name: keyof typeof ERRORS): number => 0x00050000 | ERRORS[name];

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

const PR_SET_PDEATHSIG = 1;
export const PR_SET_DUMPABLE = 4;
const PR_SET_CHILD_SUBREAPER = 36;
const PR_SET_NO_NEW_PRIVS = 38;
const SECCOMP_SET_MODE_FILTER = 1;
const SIGTERM = 15;
const EINTR = 4;

/**
 * Signals of a terminal's keys. A sandbox's own processes are in the terminal's foreground until the command is; they
 * ignore them, or would end and take the command along.
 */
export const TERMINAL_SIGNALS = "INT QUIT TSTP";

/** Those that stop a process unless it handles them: SIGSTOP, SIGTSTP, SIGTTIN and SIGTTOU. They end no command. */
const STOP_SIGNALS = [19, 20, 21, 22];

/** Begins the names of the variables in which a supervisor gets those of its command. */
const PASSED = "V";

/**
 * Creates the environment of a supervisor from that of its command. Other accounts can read the arguments of a process,
 * and no name that a command chooses may change how the supervisor itself runs.
 */
export const passVariables = (variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value], index) => [
      `${PASSED}${index}`,
      `${name}=${value}`,
    ]),
  ) as NodeJS.ProcessEnv;

/**
 * Takes the variables, and removes them from the memory that `/proc` shows as the environment. It is that of the first
 * process of a namespace, too, where that is a copy of this one.
 */
const TAKE_VARIABLES = `
my @variables = ();
while (defined(my $variable = $ENV{"${PASSED}" . @variables})) { push @variables, $variable }
%ENV = ();
open(my $status, "<", "/proc/self/stat") or die "/proc/self/stat: $!\\n";
my ($start, $end) = (split / /, <$status> =~ s/.*\\) //r)[47, 48];
close $status;
# Some kernels forbid it; what is left can be read by the same account only.
if (open(my $memory, "+<", "/proc/self/mem")) {
  sysseek $memory, $start, 0;
  syswrite $memory, "\\0" x ($end - $start);
  close $memory;
}
pipe(my $environment, my $passed) or die "pipe: $!\\n";`;

/** A pipe holds less than an environment can have, so the child reads while this is written. */
const PASS_VARIABLES = `
$SIG{PIPE} = "IGNORE";
my $text = join "\\0", @variables;
while (length $text) {
  my $written = syswrite $passed, $text;
  last unless defined $written || $! == ${EINTR};
  substr($text, 0, $written // 0) = "";
}
close $passed;`;

/** Ends by the signal that the command was ended by, or else with its exit code. */
const END_LIKE_COMMAND = `
  my $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
  # After an end by itself all its processes are gone, so that this does not wait.
  my $reported = "";
  sysread($reports, $reported, 1) unless $? & 127;
  my $signal = ord $reported;
  # A command of the same account may write to the pipe, too, and must not stop this process.
  if ($signal && $code == 128 + $signal && !grep { $_ == $signal } ${STOP_SIGNALS.join(", ")}) {
    # A core dump of this process would show nothing of the command.
    call("prctl", ${PR_SET_DUMPABLE}, 0, 0, 0, 0);
    $SIG{$_} = "DEFAULT" for qw(${TERMINAL_SIGNALS} TERM ALRM PIPE);
    kill $signal, $$;
  }
  exit $code;`;

/**
 * A command that applies the filter to itself, runs a script in a child process, and ends all that
 * came from it when this process is gone. A sandbox would do that only from some ms after its start
 * on. The script sees the further arguments, reads the variables of the command from `$environment`, which NUL characters
 * separate, and does not return. What runs the command writes the number of the signal that ended it to `$report`, as its
 * own end tells no signal from an exit code; this process then ends by the same.
 *
 * @throws {Error} a sentence, when there is no filter for this machine, or Perl is not installed.
 */
export const superviseScript = (
  childScript: string,
  findProgram: (name: string) => string,
): string[] => {
  const machine = findMachine();
  const program = createProgram(machine);
  const script = `${createPerlFunctions(machine)}
$SIG{$_} = "IGNORE" for qw(${TERMINAL_SIGNALS});
$SIG{TERM} = sub { $gone = 1 };
# A signal between the check and the wait would be missed.
$SIG{ALRM} = sub { alarm 1 };
call("prctl", ${PR_SET_PDEATHSIG}, ${SIGTERM}, 0, 0, 0);
call("prctl", ${PR_SET_CHILD_SUBREAPER}, 1, 0, 0, 0);
call("prctl", ${PR_SET_NO_NEW_PRIVS}, 1, 0, 0, 0);
exit 1 if getppid() != ${process.pid};
my $code = pack("H*", "${encode(program).toString("hex")}");
my $program = pack("S x6 P", ${program.length}, $code);
call("seccomp", ${SECCOMP_SET_MODE_FILTER}, 0, $program);
pipe(my $reports, my $report) or die "pipe: $!\\n";
${TAKE_VARIABLES}
my $child = fork() // die "fork: $!\\n";
if ($child == 0) {
  close $passed;
  $SIG{TERM} = $SIG{ALRM} = "DEFAULT";
  ${childScript}
}
${LEAVE_INPUT}
close $environment;
close $report;
alarm 1;
eval {
  # The signal comes once for each thread of the server that ends.
  $SIG{TERM} = sub { $SIG{TERM} = "IGNORE"; die };
  die if $gone;
  ${PASS_VARIABLES}
  1 until waitpid(-1, 0) == $child;
  ${END_LIKE_COMMAND}
};
$SIG{TERM} = "IGNORE";
my $self = $$;
while (1) {
  my @children = ();
  opendir(my $directory, "/proc") or die "/proc: $!\\n";
  for my $pid (grep { /^\\d+$/ } readdir $directory) {
    open(my $stat, "<", "/proc/$pid/stat") or next;
    push @children, $pid if (<$stat> // "") =~ /.*\\) \\S $self /;
  }
  kill KILL => @children;
  waitpid(-1, 0) > 0 or exit 1;
}`;
  return [findProgram("perl"), "-e", script];
};

const createProgram = (arch: Machine): Instruction[] => {
  const { audit, ioctl } = MACHINES[arch];
  return [
    [LOAD, 0, 0, MACHINE],
    [JUMP_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, fail("EPERM")],
    [LOAD, 0, 0, CALL],
    [JUMP_GREATER_EQUAL, 0, 1, FOREIGN_CALLS],
    [RETURN, 0, 0, fail("EPERM")],
    ...Object.values(DENIED).flatMap((call): Instruction[] => [
      [JUMP_EQUAL, 0, 1, call[arch]],
      [RETURN, 0, 0, fail(call.error)],
    ]),
    [JUMP_EQUAL, 0, 3, ioctl],
    [LOAD, 0, 0, SECOND_ARGUMENT],
    [JUMP_EQUAL, 0, 1, TIOCSTI],
    [RETURN, 0, 0, fail("EPERM")],
    [RETURN, 0, 0, ALLOW],
  ];
};

/** Both machines are little-endian. */
const encode = (program: Instruction[]): Buffer =>
  Buffer.concat(
    program.map(([code, ifTrue, ifFalse, value]) => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16LE(code, 0);
      bytes.writeUInt8(ifTrue, 2);
      bytes.writeUInt8(ifFalse, 3);
      bytes.writeUInt32LE(value >>> 0, 4);
      return bytes;
    }),
  );
