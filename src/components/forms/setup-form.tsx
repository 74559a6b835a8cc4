import { Check, Circle } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { NewOwner } from "@/contract/account";
import { MIN_PASSWORD_LENGTH } from "@/contract/limits";
import type { Problem } from "@/contract/problem";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/text-field";
import { validateEmail, validateName, validateNewPassword } from "./account-validation";
import { focusFirstInvalidField, findServerError } from "./form-errors";
import { PasswordField } from "./password-field";

type AccountField = keyof NewOwner;

type SetupFormProps = {
  onSubmit: (account: NewOwner) => void;
  isBusy: boolean;
  /** Why the last attempt failed; errors at `/name`, `/email` and `/password` appear at the fields. */
  problem?: Problem | undefined;
};

/** Creates the account of the owner on the first visit. */
export const SetupForm = ({ onSubmit, isBusy, problem }: SetupFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [account, setAccount] = useState<NewOwner>({ name: "", email: "", password: "" });
  const [attempts, setAttempts] = useState(0);
  // An error of the server is shown until its field is changed.
  const [dismissedProblems, setDismissedProblems] = useState<{
    [Field in AccountField]?: Problem | undefined;
  }>({});
  const errors = {
    name: validateName(account.name),
    email: validateEmail(account.email),
    password: validateNewPassword(account.password),
  };
  // Syncs with the focus of the browser: an invalid form moves it to the first invalid field.
  useEffect(() => {
    if (form.current && (attempts > 0 || problem)) focusFirstInvalidField(form.current);
  }, [attempts, problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (errors.name ?? errors.email ?? errors.password) setAttempts(attempts + 1);
    else onSubmit({ ...account, name: account.name.trim(), email: account.email.trim() });
  };
  const field = (name: AccountField) => ({
    name,
    value: account[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setAccount({ ...account, [name]: target.value });
      setDismissedProblems({ ...dismissedProblems, [name]: problem });
    },
    error:
      (attempts > 0 ? errors[name] : undefined) ??
      (dismissedProblems[name] !== problem ? findServerError(problem, name) : undefined),
  });
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      {problem !== undefined && <Alert tone="danger" announce="alert" title={problem.detail} />}
      <TextField label="Name" autoComplete="name" autoFocus {...field("name")} />
      <TextField
        label="Email"
        hint="You sign in with it. Parley sends no email."
        type="email"
        autoComplete="username"
        {...field("email")}
      />
      <PasswordField
        label="Password"
        hint={<PasswordRule isMet={account.password.length >= MIN_PASSWORD_LENGTH} />}
        autoComplete="new-password"
        {...field("password")}
      />
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
        Create account
      </Button>
    </form>
  );
};

const PasswordRule = ({ isMet }: { isMet: boolean }) => (
  <span className="inline-flex items-center gap-1.5">
    {isMet ? (
      <Check aria-hidden size={13} className="text-success" />
    ) : (
      <Circle aria-hidden size={13} />
    )}
    At least {MIN_PASSWORD_LENGTH} characters{isMet && <span className="sr-only">: met</span>}
  </span>
);
