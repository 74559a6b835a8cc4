import { Check, Circle } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { NewOwner } from "@/contract/account";
import { MIN_PASSWORD_LENGTH } from "@/contract/limits";
import type { Problem } from "@/contract/problem";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/text-field";
import { emailProblem, nameProblem, newPasswordProblem } from "./account-problems";
import { focusFirstProblem, refusalOf } from "./form-errors";
import { PasswordField } from "./password-field";

type AccountField = keyof NewOwner;

type SetupFormProps = {
  onSubmit: (account: NewOwner) => void;
  busy: boolean;
  /** Why the last try failed; what it says of `/name`, `/email` and `/password` goes to the fields. */
  problem?: Problem | undefined;
};

/** Makes the owner's account on the first visit. */
export const SetupForm = ({ onSubmit, busy, problem }: SetupFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [account, setAccount] = useState<NewOwner>({ name: "", email: "", password: "" });
  const [attempts, setAttempts] = useState(0);
  // A refusal of a field holds until the field is changed.
  const [changed, setChanged] = useState<{ [Field in AccountField]?: Problem | undefined }>({});
  const own = {
    name: nameProblem(account.name),
    email: emailProblem(account.email),
    password: newPasswordProblem(account.password),
  };
  // Syncs with the browser's focus: a refused form leads to the first field that needs a look.
  useEffect(() => {
    if (form.current && (attempts > 0 || problem)) focusFirstProblem(form.current);
  }, [attempts, problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (own.name ?? own.email ?? own.password) setAttempts(attempts + 1);
    else onSubmit({ ...account, name: account.name.trim(), email: account.email.trim() });
  };
  const field = (name: AccountField) => ({
    name,
    value: account[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setAccount({ ...account, [name]: target.value });
      setChanged({ ...changed, [name]: problem });
    },
    error:
      (attempts > 0 ? own[name] : undefined) ??
      (changed[name] !== problem ? refusalOf(problem, name) : undefined),
  });
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      {problem !== undefined && <Alert tone="danger" announce="alert" title={problem.detail} />}
      <TextField label="Name" autoComplete="name" autoFocus {...field("name")} />
      <TextField
        label="Email"
        hint="You sign in with it. Nothing is sent there."
        type="email"
        autoComplete="username"
        {...field("email")}
      />
      <PasswordField
        label="Password"
        hint={<PasswordRule met={account.password.length >= MIN_PASSWORD_LENGTH} />}
        autoComplete="new-password"
        {...field("password")}
      />
      <Button type="submit" variant="primary" size="lg" isBusy={busy}>
        Create account
      </Button>
    </form>
  );
};

const PasswordRule = ({ met }: { met: boolean }) => (
  <span className="inline-flex items-center gap-1.5">
    {met ? (
      <Check aria-hidden size={13} className="text-success" />
    ) : (
      <Circle aria-hidden size={13} />
    )}
    At least {MIN_PASSWORD_LENGTH} characters{met && <span className="sr-only">: met</span>}
  </span>
);
