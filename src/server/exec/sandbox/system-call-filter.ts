type Machine = "x64" | "arm64";

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

/** @throws {Error} a sentence, when the numbers of system calls are not known for this machine. */
export const findMachine = (): Machine => {
  const { arch } = process;
  if (arch === "x64" || arch === "arm64") return arch;
  throw new Error(`There is no filter of system calls for ${arch} machines.`);
};

/** Creates the filter of a machine's system calls, as the kernel takes it. */
export const createSystemCallFilter = (machine: Machine): Buffer => encode(createProgram(machine));

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
