import { type Check, type CheckRow, defineChecks } from '../../../kit/check.ts'
import { judgeCredential, type ObtainedCredential, obtainCredential } from '../credentials.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** A check of a credential by rules that verifiers judge by. */
interface CredentialRow
  extends Pick<Check, 'title' | 'level' | 'description' | 'decides'>,
    Partial<Pick<Check, 'rows' | 'clauses' | 'needs'>> {
  /** Names of the rules. */
  readonly rules: readonly string[]
  /** True where what is broken goes beyond the profile, and weighs as `practice`. */
  readonly weighsLess?: (credential: ObtainedCredential) => boolean
}

export const checks = defineChecks<IssuerContext, CredentialRow>(
  {
    'I54-credential-signature': {
      title: 'The credential is signed with a key that its issuer may sign with',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      description:
        'A verifier refuses what it can not trace to the DID document of the issuer; the holder finds that out at the first login.',
      decides:
        'kid resolves in the DID registry, its key was in assertionMethod at iat, and the signature verifies with it.',
      rules: [
        'credential.algorithm',
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.signature',
      ],
      needs: ['trust'],
    },
    'I55-context': {
      title: '@context begins with the one of the data model 2.0',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.3',
        '1.versioning.1',
      ],
      description:
        'Verifiers refuse another first element: it is by the first one that they know the data model.',
      decides: 'The first element of @context is https://www.w3.org/ns/credentials/v2.',
      rules: ['credential.context'],
    },
    'I57-issuer': {
      title: 'iss, issuer and kid name one issuer',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      description:
        'Where they differ, verifiers that look at different ones believe different things.',
      decides:
        'iss, vc.issuer (or its id) and the DID in kid are one DID of the environment. That iss or vc.issuer is not there is a WARN: the profile does not show them.',
      rules: ['credential.issuer'],
      weighsLess: ({ jws, vc }) => jws.payload.iss === undefined || vc.issuer === undefined,
    },
    'I58-subject': {
      title: 'The credential is about the DID that proved its key',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 8.1'],
      description: 'A credential about another one can be presented by nobody.',
      decides: 'credentialSubject.id is the DID of the proof, and so is sub where it is there.',
      rules: ['credential.holder'],
    },
    'I63-employee-id': {
      title: 'mandatee.employeeId is there',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
      description: 'The profile makes it mandatory; logins are told apart by it.',
      decides:
        'mandate.mandatee.employeeId is there. That it is empty, or no text, is a WARN: the profile says no more than that it is present.',
      rules: ['credential.employee-id'],
      weighsLess: ({ vc }) => {
        const subject = vc.credentialSubject as Subject | undefined
        return (subject?.mandate?.mandatee?.employeeId ?? null) !== null
      },
    },
  },
  toCheck,
)

interface Subject {
  readonly mandate?: { readonly mandatee?: { readonly employeeId?: unknown } }
}

/** Takes an offer and holds the credential against the rules of the row. */
function toCheck({
  rules,
  weighsLess = () => false,
  ...texts
}: CredentialRow): CheckRow<IssuerContext> {
  return {
    ...texts,
    expectation: 'accept',
    sends: 'Takes an offer as documented, with a key that was never used before.',
    async run(context) {
      const credential = await obtainCredential(context)
      const finding = await judgeCredential(context, credential, (name) => rules.includes(name))
      const isLess = finding.kind === 'broken' && weighsLess(credential)
      return isLess ? { ...finding, level: 'practice' } : finding
    },
  }
}
