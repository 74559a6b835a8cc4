import { type FormEvent, useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/text-field";
import { validateEmail } from "./account-validation";
import { focusFirstInvalidField } from "./form-errors";
import { PasswordField } from "./password-field";

export type Credentials = { email: string; password: string };

type LoginFormProps = {
  onSubmit: (credentials: Credentials) => void;
  isBusy: boolean;
  /** Why the last attempt failed. */
  error?: string | undefined;
};

export const LoginForm = ({ onSubmit, isBusy, error }: LoginFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [account, setAccount] = useState<Credentials>({ email: "", password: "" });
  const [attempts, setAttempts] = useState(0);
  const errors = {
    email: validateEmail(account.email),
    password: account.password === "" ? "Enter your password." : undefined,
  };
  // Syncs with the focus of the browser: an invalid form moves it to the first invalid field.
  useEffect(() => {
    if (form.current && attempts > 0) focusFirstInvalidField(form.current);
  }, [attempts]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (errors.email ?? errors.password) setAttempts(attempts + 1);
    else onSubmit({ ...account, email: account.email.trim() });
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      {error !== undefined && <Alert tone="danger" announce="alert" title={error} />}
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        value={account.email}
        onChange={({ target }) => setAccount({ ...account, email: target.value })}
        error={attempts > 0 ? errors.email : undefined}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={account.password}
        onChange={({ target }) => setAccount({ ...account, password: target.value })}
        error={attempts > 0 ? errors.password : undefined}
      />
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  );
};
