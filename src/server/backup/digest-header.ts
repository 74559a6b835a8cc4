import type { TarHeader } from "modern-tar";

/** @returns what a checksum covers of a header. */
export const digestHeader = ({
  name,
  size,
  type = "file",
  mode,
  uid,
  gid,
  linkname,
}: TarHeader): string =>
  JSON.stringify([
    name.replace(/\/$/, ""),
    size,
    type,
    mode ?? 0,
    uid ?? 0,
    gid ?? 0,
    linkname ?? "",
  ]);
