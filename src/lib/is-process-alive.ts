import { hasErrorCode } from "./has-error-code";

/** Whether a process of this machine runs, of whatever account. */
export const isProcessAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, "EPERM");
  }
};
