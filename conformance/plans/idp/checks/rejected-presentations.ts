import { type Check, defineChecks } from '../../../kit/check.ts'
import {
  type PresentationCase,
  withDefects,
  withFaults,
} from '../../verifier/presentation-checks.ts'
import type { IdpContext } from '../context.ts'
import { findFailedLogins } from '../find-failed-login.ts'

interface Row extends Pick<Check, 'title' | 'description' | 'fix'> {
  /** Statements of the profile in addition to the errors of the session. */
  readonly rows?: readonly string[]
  readonly presentations: readonly PresentationCase[]
}

/** One deviation of a credential or of its presentation must end a login. */
export const checks = defineChecks<IdpContext, Row>(
  {
    'O19-bad-credential': {
      title: 'A credential that breaks a rule does not yield a login',
      description: 'This is the purpose of the credential.',
      fix: 'Set the session to FAILED if the credential breaks a rule, such as validUntil in the past. Do not issue a code for it.',
      presentations: withDefects('expired', 'exp-after-valid-until', 'exp-before-valid-until'),
    },
    'O41-forged-credential': {
      title: 'A credential that its issuer did not sign does not yield a login',
      description: 'Anyone could write a credential with the powers of any organization.',
      fix: 'Verify the signature of the credential with the key that kid names in the DID document of its issuer. If that fails, set the session to FAILED.',
      presentations: withDefects(
        'bad-signature',
        'signed-by-strange-key',
        'alg-none',
        'alg-hs256',
        'wrong-kid',
        'issuer-unknown',
      ),
    },
    'O42-issuer-not-accredited': {
      title: 'A credential of an issuer without a valid accreditation does not yield a login',
      description: 'Any organization can sign credentials. Only those of accredited issuers count.',
      fix: 'Read the accreditation of the issuer and those above it in the TIR. If one is missing, revoked, expired or about something else, set the session to FAILED.',
      presentations: withDefects(
        'not-accredited',
        'accreditation-revoked',
        'parent-revoked',
        'accreditation-expired',
        'accreditation-for-another-type',
        'accreditation-self-signed',
        'accreditation-of-another',
        'root-not-trusted',
      ),
    },
    'O43-other-credential-type': {
      title: 'A credential of another type or without a required member does not yield a login',
      description: 'A credential that was issued for another purpose does not give these powers.',
      fix: 'Compare the type of the credential with the expected one, and require power and employeeId. If one differs or is missing, set the session to FAILED.',
      presentations: withDefects(
        'type-other',
        'power-empty',
        'power-absent',
        'employee-id-absent',
        'employee-id-empty',
        'vc-claim-absent',
        'no-jwt',
      ),
    },
    'O44-presentation-not-bound': {
      title: 'A presentation that is not bound to its login and holder does not yield a login',
      description:
        'Verifiers have seen the credentials of their users. Only the nonce, the audience and the key of the holder stop them from logging in with them.',
      fix: 'Reject a presentation if its nonce, aud or signature is wrong, or if its signer is not the subject of the credential. Set the session to FAILED.',
      rows: [
        '1.resources-and-their-fields/presentation-token.1',
        '1.resources-and-their-fields/presentation-token.2',
        '1.resources-and-their-fields/presentation-authorization-request.4',
        '1.resources-and-their-fields/presentation-authorization-request.5',
      ],
      presentations: [
        ...withFaults(
          'presentation-wrong-nonce',
          'presentation-missing-nonce',
          'presentation-wrong-aud',
          'presentation-missing-aud',
          'presentation-bad-signature',
          'presentation-other-key',
          'presentation-alg-none',
          'presentation-expired',
        ),
        ...withDefects('subject-mismatch'),
      ],
    },
  },
  ({ presentations, rows = [], ...row }) => ({
    ...row,
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    rows: ['1.errors.10', '1.resources-and-their-fields/verification-session.2', ...rows],
    deviations: presentations.flatMap(({ defect, faults = [] }) =>
      [...(defect ? [defect] : []), ...faults].map(({ name }) => name),
    ),
    sends: `Logins, each answered with one presentation. ${presentations.map(({ what }) => what).join(' ')}`,
    decides:
      'Each session ends as FAILED, and no browser gets a code, while a valid credential yields a login. If a session stays PENDING, the check is inconclusive.',
    run: (context) => findFailedLogins(context, presentations),
  }),
)
