import { type Check, type CheckExpectation, defineChecks } from '../../../kit/check.ts'
import { checks as accepted } from '../../verifier/checks/accepted-presentations.ts'
import { checks as chains } from '../../verifier/checks/accreditation-chains.ts'
import { checks as accreditations } from '../../verifier/checks/accreditation-refusals.ts'
import { checks as contents } from '../../verifier/checks/credential-refusals.ts'
import { checks as signers } from '../../verifier/checks/credential-signers.ts'
import { checks as times } from '../../verifier/checks/credential-times.ts'
import { checks as keys } from '../../verifier/checks/issuer-keys.ts'
import { checks as bindings } from '../../verifier/checks/presentation-binding.ts'
import { checks as presentations } from '../../verifier/checks/presentation-refusals.ts'
import { checks as submissions } from '../../verifier/checks/presentation-submissions.ts'
import { checks as presentationTimes } from '../../verifier/checks/presentation-times.ts'
import { checks as lookups } from '../../verifier/checks/registry-lookups.ts'
import { checks as requests } from '../../verifier/checks/requests.ts'
import { checks as posts } from '../../verifier/checks/response-endpoint.ts'
import { checks as revocations } from '../../verifier/checks/revocations.ts'
import { checks as outages } from '../../verifier/checks/services-around.ts'
import { checks as sessions } from '../../verifier/checks/sessions.ts'
import { checks as statusLists } from '../../verifier/checks/status-lists.ts'
import { checks as formats } from '../../verifier/checks/token-format.ts'
import { checks as validCredentials } from '../../verifier/checks/valid-credentials.ts'
import type { VerifierContext } from '../../verifier/context.ts'
import type { IdpContext } from '../context.ts'
import { findThroughLogins, highestLevel, requirePresentation } from '../verifier-of-logins.ts'

const decides: Readonly<Partial<Record<CheckExpectation, string>>> = {
  refuse:
    'No session ends as SUCCESS and no browser gets a code, while a valid credential yields a login. A session that stays PENDING after 200 is inconclusive.',
  accept: 'Each session ends as SUCCESS, and each request is as documented.',
}

/** The check of signed requests, or the others: the kit does not know the keys of every verifier. */
const requestsWith = (isSigned: boolean): Table =>
  Object.fromEntries(Object.entries(requests).filter(([, { id }]) => (id === 'V90') === isSigned))

type Table = Readonly<Record<string, Check<VerifierContext>>>

interface Row extends Pick<Check, 'title' | 'description' | 'fix'> {
  /** Checks of the plan `verifier`. */
  readonly of: readonly Table[]
  /** By default `refuse`: of the checks, those whose presentations a verifier must not accept. */
  readonly expectation?: CheckExpectation
  /** By default `presentation`: if a valid one fails, no other decides anything. */
  readonly control?: 'authorization'
}

/** What the verifier behind an IDP must reject does not yield a login, and everything else does. */
export const checks = defineChecks<IdpContext, Row>(
  {
    'O19-bad-credential': {
      title: 'A credential that is not valid now does not yield a login',
      description: 'People leave organizations. Their credentials end, and with them their logins.',
      fix: 'Compare validUntil, exp, validFrom and nbf of the credential separately with the current time. If one of them excludes it, set the session to FAILED, and do not issue a code.',
      of: [times],
    },
    'O41-forged-credential': {
      title: 'A credential that its issuer did not sign does not yield a login',
      description: 'Anyone could write a credential with the powers of any organization.',
      fix: 'Verify the signature of the credential with the key that kid names in the DID document of its issuer. If that fails, set the session to FAILED.',
      of: [signers, keys],
    },
    'O42-issuer-not-accredited': {
      title: 'A credential of an issuer without a valid accreditation does not yield a login',
      description: 'Any organization can sign credentials. Only those of accredited issuers count.',
      fix: 'Read the accreditation of the issuer and those above it in the TIR. If one is missing, revoked, expired or about something else, set the session to FAILED.',
      of: [accreditations, chains],
    },
    'O43-other-credential-type': {
      title: 'A credential of another type or without a required member does not yield a login',
      description: 'A credential that was issued for another purpose does not give these powers.',
      fix: 'Compare the type of the credential with the expected one, and require power and employeeId. If one differs or is missing, set the session to FAILED.',
      of: [contents],
    },
    'O44-presentation-not-bound': {
      title: 'A presentation that is not bound to its login and holder does not yield a login',
      description:
        'Verifiers have seen the credentials of their users. Only the nonce, the audience and the key of the holder stop them from logging in with them.',
      fix: 'Reject a presentation if its nonce, aud or signature is wrong, or if its signer is not the subject of the credential. Set the session to FAILED.',
      of: [presentations, bindings],
    },
    'O50-presentation-of-another-time': {
      title: 'A presentation that is not valid now does not yield a login',
      description: 'A presentation that never ends is a password for everyone who has seen it.',
      fix: 'Require exp and iat in the presentation, as numbers and close to the current time. Otherwise set the session to FAILED.',
      of: [presentationTimes],
    },
    'O51-revoked-credential': {
      title: 'A credential whose status is revoked or unknown does not yield a login',
      description: 'The credentials of people who leave are revoked before they expire.',
      fix: 'Fetch and verify the status list of the credential for each login. If the bit is set, or the list cannot be used, set the session to FAILED.',
      of: [statusLists, revocations],
    },
    'O52-registries-away': {
      title: 'A credential that cannot be looked up does not yield a login',
      description:
        'An attacker who blocks a registry would otherwise log in with a revoked credential.',
      fix: 'Look up issuer, accreditations and status at the configured addresses only, and for each login. If a response is missing or cannot be read, set the session to FAILED.',
      of: [outages],
    },
    'O53-form-of-tokens': {
      title: 'A token that two parsers read differently does not yield a login',
      description:
        'If the part that verifies a token and the part that uses it disagree about its content, the verification is worthless.',
      fix: 'Decode the tokens of a presentation strictly: no duplicate members, no unknown crit, only base64url without padding. Otherwise set the session to FAILED.',
      of: [formats],
    },
    'O54-wrong-answer-of-the-wallet': {
      title: 'A wrong or repeated response from the wallet does not yield a login',
      description:
        'The endpoint for wallets is public. A session that can be answered twice can be answered by an attacker.',
      fix: 'Accept one form with vp_token and presentation_submission for each session, and end the session with it. Do not change the status of a session that has ended.',
      of: [submissions, posts, sessions],
    },
    'O55-other-valid-presentations': {
      title: 'Each valid presentation yields a login',
      description:
        'Wallets and issuers differ in keys, time zones and optional members. An IDP that accepts only the usual ones locks out the others.',
      fix: 'Accept every form of a valid presentation that the profile allows: both suites and DID methods, fractions and time zones, optional members. The reason names the check of the verifier plan, with its own fix.',
      of: [
        accepted,
        times,
        signers,
        keys,
        chains,
        presentationTimes,
        statusLists,
        sessions,
        posts,
        lookups,
        validCredentials,
      ],
      expectation: 'accept',
    },
    'O56-request-of-the-login': {
      title: 'The login page shows a valid presentation request',
      description: 'A wallet rejects a request that it does not understand.',
      fix: 'Show a link of a presentation request as the profile documents it, with a new nonce for each login. The reason names the check of the verifier plan, with its own fix.',
      of: [requestsWith(false)],
      expectation: 'accept',
      control: 'authorization',
    },
    'O57-signed-request-of-the-login': {
      title: 'A signed presentation request of a login verifies with the key of its client_id',
      description: 'A wallet that verifies signed requests rejects a wrong signature.',
      fix: 'Sign the request with a key of the DID in client_id, and set kid to it. Set typ to oauth-authz-req+jwt, iss to client_id, and exp to a time in the future.',
      of: [requestsWith(true)],
      expectation: 'accept',
      control: 'authorization',
    },
  },
  ({ of, expectation = 'refuse', control = 'presentation', ...row }) => {
    const all = of.flatMap((table) =>
      Object.values(table).filter(
        (check) => (check.expectation === 'accept') === (expectation === 'accept'),
      ),
    )
    const merge = (lists: readonly (readonly string[] | undefined)[]) => [
      ...new Set(lists.flatMap((list) => list ?? [])),
    ]
    return {
      ...row,
      level: highestLevel(all),
      expectation,
      control,
      needs: ['wallet-login'],
      timeLimitMilliseconds: 600_000,
      rows: merge([
        expectation === 'refuse' ? ['1.errors.10'] : [],
        ['1.resources-and-their-fields/verification-session.2'],
        ...all.map(({ rows }) => rows),
      ]),
      clauses: merge(all.map(({ clauses }) => clauses)),
      deviations: merge(all.map(({ deviations }) => deviations)),
      sends: `Logins in which the wallet answers as in these checks of the verifier plan: ${all.map(({ id, title }) => `${id} (${title})`).join(', ')}.`,
      decides: `${decides[expectation]} The level of a finding is that of the check of the verifier plan.`,
      async run(context) {
        if (control === 'presentation') await requirePresentation(context)
        return findThroughLogins(context, all)
      },
    }
  },
)
