/**
 * Numbers of the system calls that scripts make. Perl can make them, and most systems have it; neither
 * Node.js nor a shell can, and each further program that a sandbox starts with takes a millisecond or more.
 */
const SYSTEM_CALLS = {
  capset: { x64: 126, arm64: 91 },
  mount: { x64: 165, arm64: 40 },
  mount_setattr: { x64: 442, arm64: 442 },
  pivot_root: { x64: 155, arm64: 41 },
  prctl: { x64: 157, arm64: 167 },
  prlimit64: { x64: 302, arm64: 261 },
  seccomp: { x64: 317, arm64: 277 },
  setgroups: { x64: 116, arm64: 159 },
  sethostname: { x64: 170, arm64: 161 },
  setresgid: { x64: 119, arm64: 149 },
  setresuid: { x64: 117, arm64: 147 },
  umount2: { x64: 166, arm64: 39 },
  unshare: { x64: 272, arm64: 97 },
} as const;

export type Machine = "x64" | "arm64";

/** @throws {Error} a sentence, when the numbers of system calls are not known for this machine. */
export const findMachine = (): Machine => {
  const { arch } = process;
  if (arch === "x64" || arch === "arm64") return arch;
  throw new Error(`There is no filter of system calls for ${arch} machines.`);
};

/** Defines `call`, which takes the name of a system call and its arguments, and `put`, which writes a file. */
export const createPerlFunctions = (machine: Machine): string => {
  const numbers = Object.entries(SYSTEM_CALLS).map(
    ([name, number]) => `${name} => ${number[machine]}`,
  );
  return `
my %number = (${numbers.join(", ")});
sub call { my ($name, @args) = @_; syscall($number{$name}, @args) == -1 and die "$name: $!\\n" }
sub put {
  my ($file, $text) = @_;
  open(my $handle, ">", $file) or die "$file: $!\\n";
  defined syswrite($handle, $text) or die "$file: $!\\n";
}`;
};

/**
 * Leaves the input to the process that was just started: a command that closes its input is noticed only when no other
 * process has it open.
 */
export const LEAVE_INPUT = `open(STDIN, "<", "/dev/null") or die "/dev/null: $!\\n";`;

/** Quotes a text for a script of Perl. */
export const quotePerl = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
