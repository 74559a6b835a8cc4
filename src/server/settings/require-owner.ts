import { DomainError } from "@/contract/domain-error";
import type { Actor } from "@/server/context";

/** @throws {DomainError} `forbidden` for everybody but the administrator. */
export const requireOwner = ({ role }: Actor): void => {
  if (role === "owner") return;
  throw new DomainError("forbidden", "Only an administrator may do this.", { shouldRetry: false });
};
