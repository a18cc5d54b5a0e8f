import { type Check, defineCheck } from '../../../define-check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { judgeCredential } from './judge-credential.ts'
import { obtainCredential } from './obtain-credential.ts'

/** A check of a credential by rules that verifiers judge by. */
export interface CredentialCheck
  extends Pick<Check, 'id' | 'title' | 'level' | 'description' | 'decides'>,
    Partial<Pick<Check, 'rows' | 'clauses' | 'expectation' | 'needs'>> {
  /** Names of the rules, or how they begin: `trust.`. */
  readonly rules: readonly string[]
  readonly except?: readonly string[]
}

/** Declares a check that takes an offer and holds the credential against these rules. */
export function defineCredentialCheck({
  rules,
  except = [],
  ...check
}: CredentialCheck): Check<IssuerContext> {
  const isAbout = (name: string) =>
    !except.includes(name) &&
    rules.some((rule) => (rule.endsWith('.') ? name.startsWith(rule) : name === rule))
  return defineCheck<IssuerContext>({
    expectation: 'accept',
    sends: 'Takes an offer as documented, with a key that was never used before.',
    ...check,
    run: async (context) => judgeCredential(context, await obtainCredential(context), isAbout),
  })
}
