import { type FormEvent, useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/text-field";
import { emailProblem } from "./account-problems";
import { focusFirstProblem } from "./form-errors";
import { PasswordField } from "./password-field";

export type Credentials = { email: string; password: string };

type LoginFormProps = {
  onSubmit: (credentials: Credentials) => void;
  busy: boolean;
  /** Why the last try failed. */
  error?: string | undefined;
};

export const LoginForm = ({ onSubmit, busy, error }: LoginFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [account, setAccount] = useState<Credentials>({ email: "", password: "" });
  const [attempts, setAttempts] = useState(0);
  const problems = {
    email: emailProblem(account.email),
    password: account.password === "" ? "Enter your password." : undefined,
  };
  // Syncs with the browser's focus: a refused form leads to the first field that needs a look.
  useEffect(() => {
    if (form.current && attempts > 0) focusFirstProblem(form.current);
  }, [attempts]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (problems.email ?? problems.password) setAttempts(attempts + 1);
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
        error={attempts > 0 ? problems.email : undefined}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={account.password}
        onChange={({ target }) => setAccount({ ...account, password: target.value })}
        error={attempts > 0 ? problems.password : undefined}
      />
      <Button type="submit" variant="primary" size="lg" isBusy={busy}>
        Sign in
      </Button>
    </form>
  );
};
