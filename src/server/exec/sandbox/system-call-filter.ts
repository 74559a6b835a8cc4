type Machine = "x64" | "arm64";

/**
 * System calls that commands get an error for: what lies outside of namespaces (keyrings, which are
 * inherited), what leaves the processors of commands, what takes memory or disk faster or less visibly than it can be counted, and what
 * many weaknesses of the kernel were reached by. Programs have other ways where they get these errors.
 */
const DENIED = {
  add_key: { x64: 248, arm64: 217, error: "EPERM" },
  request_key: { x64: 249, arm64: 218, error: "EPERM" },
  keyctl: { x64: 250, arm64: 219, error: "EPERM" },
  perf_event_open: { x64: 298, arm64: 241, error: "EPERM" },
  bpf: { x64: 321, arm64: 280, error: "EPERM" },
  userfaultfd: { x64: 323, arm64: 282, error: "EPERM" },
  fanotify_init: { x64: 300, arm64: 262, error: "EPERM" },
  sched_setaffinity: { x64: 203, arm64: 122, error: "EPERM" },
  fallocate: { x64: 285, arm64: 47, error: "EOPNOTSUPP" },
  semget: { x64: 64, arm64: 190, error: "ENOSYS" },
  vmsplice: { x64: 278, arm64: 75, error: "ENOSYS" },
  statmount: { x64: 457, arm64: 457, error: "ENOSYS" },
  listmount: { x64: 458, arm64: 458, error: "ENOSYS" },
  shmget: { x64: 29, arm64: 194, error: "ENOSYS" },
  msgget: { x64: 68, arm64: 186, error: "ENOSYS" },
  memfd_create: { x64: 319, arm64: 279, error: "ENOSYS" },
  memfd_secret: { x64: 447, arm64: 447, error: "ENOSYS" },
  landlock_create_ruleset: { x64: 444, arm64: 444, error: "ENOSYS" },
  io_uring_setup: { x64: 425, arm64: 425, error: "ENOSYS" },
  clone3: { x64: 435, arm64: 435, error: "ENOSYS" },
} as const;
/** An answer without an error: the call says that it is done, and nothing is. */
const ERRORS = {
  NONE: 0,
  EPERM: 1,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  EOPNOTSUPP: 95,
  EAFNOSUPPORT: 97,
};

const [STREAM, DATAGRAM, RAW, PACKETS] = [1, 2, 3, 5];
/**
 * The sockets that there are, by family, type and protocol. Others, such as AF_VSOCK, reach other machines from each
 * namespace, or are code of the kernel that is loaded when it is first used.
 */
const SOCKETS = [
  // AF_UNIX, whose protocol may have its own name.
  { family: 1, types: [STREAM, DATAGRAM, RAW, PACKETS], protocols: [0, 1] },
  // AF_INET: ICMP, TCP and UDP.
  { family: 2, types: [STREAM, DATAGRAM, RAW], protocols: [0, 1, 6, 17] },
  // AF_INET6: TCP, UDP and ICMPv6.
  { family: 10, types: [STREAM, DATAGRAM, RAW], protocols: [0, 6, 17, 58] },
  // AF_NETLINK: addresses and routes, and the list of sockets.
  { family: 16, types: [DATAGRAM, RAW], protocols: [0, 4] },
] as const;
/** Other bits of a type are options. */
const SOCKET_TYPE = 0xf;

/** MAP_SHARED and MAP_ANONYMOUS: memory that no process needs to have resident is not counted. */
const SHARED_MEMORY = 0x21;

/**
 * CLONE_THREAD and CLONE_FILES, and CLOSE_RANGE_UNSHARE. The private file table of a thread is not in the entry of its process,
 * so that its files would not be counted. The flags of `clone3` are in memory, where a filter cannot check them.
 */
const [THREAD, OPEN_FILES, OWN_FILES] = [0x10000, 0x400, 2];

/** The level and name of what a socket may hold for its receiver. Its size is a hint, so that programs go on without it. */
const [SOL_SOCKET, SO_SNDBUF] = [1, 7];

/** The machine as the kernel names it, and the system calls whose arguments are checked. */
const MACHINES = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    closeRange: 436,
    ioctl: 16,
    mmap: 9,
    setsockopt: 54,
    socket: 41,
    socketpair: 53,
    unshare: 272,
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    closeRange: 436,
    ioctl: 29,
    mmap: 222,
    setsockopt: 208,
    socket: 198,
    socketpair: 199,
    unshare: 97,
  },
} satisfies Record<Machine, Record<string, number>>;

/** Numbers from here on are system calls of another interface of the same machine. */
const FOREIGN_CALLS = 0x40000000;
/** Types into a terminal as if it came from its keyboard. */
const TIOCSTI = 0x5412;

/** Operations of classic BPF, and offsets in the `seccomp_data` that they read. */
const [LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, AND, RETURN] = [0x20, 0x15, 0x35, 0x54, 0x06];
const [CALL, MACHINE] = [0, 4];
/** The lower half of an argument, which is all that the kernel reads of an `int`. */
const argument = (index: number): number => 16 + 8 * index;
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
  const { audit, clone, closeRange, ioctl, mmap, setsockopt, socket, socketpair, unshare } =
    MACHINES[arch];
  const sockets = allowSockets();
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
    [JUMP_EQUAL, 1, 0, socket],
    [JUMP_EQUAL, 0, sockets.length, socketpair],
    ...sockets,
    [JUMP_EQUAL, 0, 6, setsockopt],
    [LOAD, 0, 0, argument(1)],
    [JUMP_EQUAL, 0, 3, SOL_SOCKET],
    [LOAD, 0, 0, argument(2)],
    [JUMP_EQUAL, 0, 1, SO_SNDBUF],
    [RETURN, 0, 0, fail("NONE")],
    [RETURN, 0, 0, ALLOW],
    ...refuse(mmap, { at: 3, mask: SHARED_MEMORY, value: SHARED_MEMORY }),
    ...refuse(clone, { at: 0, mask: THREAD | OPEN_FILES, value: THREAD }),
    ...refuse(unshare, { at: 0, mask: OPEN_FILES, value: OPEN_FILES }),
    ...refuse(closeRange, { at: 2, mask: OWN_FILES, value: OWN_FILES }),
    ...refuse(ioctl, { at: 1, mask: ALL_BITS, value: TIOCSTI }),
    [RETURN, 0, 0, ALLOW],
  ];
};

const ALL_BITS = 0xffffffff;

/** Refuses a call by some bits of one of its arguments. */
const refuse = (
  call: number,
  { at, mask, value }: { at: number; mask: number; value: number },
): Instruction[] => [
  [JUMP_EQUAL, 0, 5, call],
  [LOAD, 0, 0, argument(at)],
  [AND, 0, 0, mask],
  [JUMP_EQUAL, 0, 1, value],
  [RETURN, 0, 0, fail("EPERM")],
  [RETURN, 0, 0, ALLOW],
];

/** Answers a call for sockets, whose arguments are the family, the type and the protocol. */
const allowSockets = (): Instruction[] => [
  ...SOCKETS.flatMap(({ family, types, protocols }): Instruction[] => {
    const body: Instruction[] = [
      [LOAD, 0, 0, argument(1)],
      [AND, 0, 0, SOCKET_TYPE],
      ...refuseOthers(types, "EPROTONOSUPPORT"),
      [LOAD, 0, 0, argument(2)],
      ...refuseOthers(protocols, "EPROTONOSUPPORT"),
      [RETURN, 0, 0, ALLOW],
    ];
    return [[LOAD, 0, 0, argument(0)], [JUMP_EQUAL, 0, body.length, family], ...body];
  }),
  [RETURN, 0, 0, fail("EAFNOSUPPORT")],
];

/** Goes on after the last instruction only with one of the values. */
const refuseOthers = (values: readonly number[], error: keyof typeof ERRORS): Instruction[] => [
  ...values.map((value, index): Instruction => [JUMP_EQUAL, values.length - index, 0, value]),
  [RETURN, 0, 0, fail(error)],
];

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
