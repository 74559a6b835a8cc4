import { Alert } from "./alert";

type FailureAlertProps = {
  title: string;
  /** Why it failed; undefined while nothing has. */
  detail: string | undefined;
};

/** Says at once that something failed, and why. */
export const FailureAlert = ({ title, detail }: FailureAlertProps) =>
  detail !== undefined && (
    <Alert tone="danger" announce="alert" title={title}>
      {detail}
    </Alert>
  );
