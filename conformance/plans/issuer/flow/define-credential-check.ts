import { type Check, defineCheck } from '../../../kit/define-check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { judgeCredential } from './judge-credential.ts'
import { type ObtainedCredential, obtainCredential } from './obtain-credential.ts'

/** A check of a credential by rules that verifiers judge by. */
export interface CredentialCheck
  extends Pick<Check, 'id' | 'title' | 'level' | 'description' | 'decides'>,
    Partial<Pick<Check, 'rows' | 'clauses' | 'expectation' | 'needs'>> {
  /** Names of the rules, or how they begin: `trust.`. */
  readonly rules: readonly string[]
  readonly except?: readonly string[]
  /** True where what is broken goes beyond the documents, and weighs as `practice`. */
  readonly weighsLess?: (credential: ObtainedCredential) => boolean
}

/** Declares a check that takes an offer and holds the credential against these rules. */
export function defineCredentialCheck({
  rules,
  except = [],
  weighsLess = () => false,
  ...check
}: CredentialCheck): Check<IssuerContext> {
  const isAbout = (name: string) =>
    !except.includes(name) &&
    rules.some((rule) => (rule.endsWith('.') ? name.startsWith(rule) : name === rule))
  return defineCheck<IssuerContext>({
    expectation: 'accept',
    sends: 'Takes an offer as documented, with a key that was never used before.',
    ...check,
    async run(context) {
      const credential = await obtainCredential(context)
      const finding = await judgeCredential(context, credential, isAbout)
      const isLess = finding.kind === 'broken' && weighsLess(credential)
      return isLess ? { ...finding, level: 'practice' } : finding
    },
  })
}
