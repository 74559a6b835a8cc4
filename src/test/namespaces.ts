import { spawnSync } from "node:child_process";

/**
 * Finds a command that starts a program in namespaces of its own, as a container does.
 *
 * @param namespaces options of `unshare`, such as `--net`.
 * @throws {Error} a sentence, because a test that cannot use namespaces must not pass.
 */
export const findNamespaceLauncher = (namespaces: readonly string[]): string[] => {
  // With a user namespace it works without root, where the system allows that; as root, without one too.
  const launchers = [
    ["unshare", "--map-root-user", ...namespaces],
    ["unshare", ...namespaces],
  ];
  const launcher = launchers.find(
    ([command = "", ...options]) => spawnSync(command, [...options, "true"]).status === 0,
  );
  if (launcher) return launcher;
  throw new Error(
    `This test needs namespaces (unshare ${namespaces.join(" ")}): run it on Linux, as root or where ` +
      "user namespaces are allowed; in a container, with the capability SYS_ADMIN.",
  );
};
