import { type Check, type CheckRow, defineChecks } from '../../../kit/check.ts'
import type { IssuerContext } from '../context.ts'
import { evaluateCredential, type ObtainedCredential, obtainCredential } from '../credentials.ts'

/** A check of a credential by the rules of verifiers. */
interface CredentialRow
  extends Pick<Check, 'title' | 'level' | 'description' | 'decides' | 'fix'>,
    Partial<Pick<Check, 'rows' | 'clauses' | 'needs'>> {
  /** Names of the rules. */
  readonly rules: readonly string[]
  /** True if the problem goes beyond the profile; the finding then has the level `practice`. */
  readonly weighsLess?: (credential: ObtainedCredential) => boolean
}

export const checks = defineChecks<IssuerContext, CredentialRow>(
  {
    'I54-credential-signature': {
      title: 'The credential is signed with an authorized key of its issuer',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      description:
        'A verifier rejects a credential that it cannot trace to the issuer’s DID document; the holder notices at the first login.',
      decides:
        'kid resolves in the DID registry, its key was in assertionMethod at iat, and the signature is valid for it. A missing iat is a WARN: the profile does not specify it.',
      fix: "Sign with a key that is in assertionMethod of the issuer's DID document, and name it in kid as <DID>#<vMethodId>. Set iat to the signing time by a synchronized clock.",
      rules: [
        'credential.algorithm',
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.signature',
      ],
      weighsLess: ({ jws }) => jws.payload.iat === undefined,
      needs: ['trust'],
    },
    'I55-context': {
      title: '@context starts with that of the data model 2.0',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.3',
        '1.versioning.1',
      ],
      description:
        'Verifiers reject a different first element, because it identifies the data model.',
      decides: 'The first element of @context is https://www.w3.org/ns/credentials/v2.',
      fix: 'Put https://www.w3.org/ns/credentials/v2 first in vc.@context, before all other contexts.',
      rules: ['credential.context'],
    },
    'I57-issuer': {
      title: 'iss, issuer and kid name the same issuer',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      description: 'If they differ, verifiers that use different members see different issuers.',
      decides:
        'iss, vc.issuer (or its id) and the DID in kid are the same DID of the environment. A missing iss or vc.issuer is a WARN: the profile does not specify them.',
      fix: "Set iss, vc.issuer and the DID in kid to the issuer's DID in this environment.",
      rules: ['credential.issuer'],
      weighsLess: ({ jws, vc }) => jws.payload.iss === undefined || vc.issuer === undefined,
    },
    'I58-subject': {
      title: 'The subject of the credential is the DID that proved its key',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 8.1'],
      description: 'No holder can present a credential with a different subject.',
      decides: 'credentialSubject.id is the DID of the proof, and so is sub if it is present.',
      fix: 'Set credentialSubject.id and sub to the DID in kid of the proof, without its fragment.',
      rules: ['credential.holder'],
    },
    'I63-employee-id': {
      title: 'mandatee.employeeId is present',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
      description: 'The profile requires it, and logins are distinguished by it.',
      decides:
        'mandate.mandatee.employeeId is present. An empty value, or a value that is not a string, is a WARN: the profile only requires that it is present.',
      fix: 'Set mandate.mandatee.employeeId to a non-empty string in every credential.',
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

/** Accepts an offer and evaluates the rules of the row for the credential. */
function toCheck({
  rules,
  weighsLess = () => false,
  ...texts
}: CredentialRow): CheckRow<IssuerContext> {
  return {
    ...texts,
    expectation: 'accept',
    sends: 'Accepts an offer as documented, with a new key.',
    async run(context) {
      const credential = await obtainCredential(context)
      const finding = await evaluateCredential(context, credential, (name) => rules.includes(name))
      const isLess = finding.kind === 'broken' && weighsLess(credential)
      return isLess ? { ...finding, level: 'practice' } : finding
    },
  }
}
