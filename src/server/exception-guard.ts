import { log } from "./log";

/** EX_SOFTWARE of sysexits.h: a supervisor can distinguish it from a failed start. */
const EXCEPTION_CODE = 70;
/** Time for the responses of requests that are nearly done. */
const EXIT_GRACE_MS = 500;

/**
 * Logs exceptions that nobody has caught, and rejections that nobody handles. After an exception, the process ends: what
 * it interrupted is in no known state, and what it has not stored is repeated or given up by the next process, as after
 * a crash.
 */
export const installExceptionGuard = (): void => {
  let isEnding = false;
  // Not a listener: Next.js adds one of its own, which logs in its own form and lets the process go on.
  process.setUncaughtExceptionCaptureCallback((error) => {
    if (isEnding) return;
    isEnding = true;
    process.exitCode = EXCEPTION_CODE;
    log().fatal({ err: error }, "an exception was not caught, so the process ends");
    setTimeout(() => process.exit(EXCEPTION_CODE), EXIT_GRACE_MS);
  });
  process.on("unhandledRejection", (reason) => {
    log().error({ err: reason }, "a rejection was not handled");
  });
};
