import { defineChecks, type Finding } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { requireDefect } from '../../../world/defects/create-credential-with-defect.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { endKey } from '../../../world/key-uses.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour } from '../counterparts/issuer-behaviour.ts'
import { findNoneKept, takeCredential } from '../findings/issuance-findings.ts'
import {
  findRequestRefused,
  findRequestsRefused,
  takePresentation,
} from '../findings/presentation-findings.ts'

/** What a wallet must look up again, and verify again, because time has passed. */
export const checks = defineChecks<WalletContext>({
  'W110-request-not-yet-valid': {
    title: 'A request that is not valid yet is not answered',
    level: 'final',
    expectation: 'refuse',
    control: 'requests',
    clauses: ['RFC 7519, 4.1.5'],
    description: 'nbf says from when on a JWT may be processed. Before that it must be rejected.',
    sends: 'Signed requests at request_uri whose nbf is in an hour, and whose nbf is a string.',
    decides:
      'The wallet must not post to response_uri before the verb ends, and must report a rejection.',
    fix: 'If a signed request has nbf, compare it with the current time. If it is in the future or not a number, show an error and do not post.',
    run: (context) =>
      findRequestsRefused(context, [
        {
          why: 'its nbf is in an hour',
          behaviour: { claims: { nbf: context.now() + 3600 } },
        },
        {
          why: 'its nbf is a string',
          behaviour: { claims: { nbf: `${context.now() + 3600}` } },
        },
      ]),
  },
  'W112-issuer-revoked-between-offers': {
    title: 'The accreditation of an issuer is looked up for each credential',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'An issuer may lose its accreditation at any time. A wallet that keeps the answer of the TIR trusts it until the next restart.',
    sends:
      'A valid credential of a new issuer. Then the TIR shows its accreditation as revoked, and a second credential of it follows.',
    decides: 'The wallet must keep the first credential, and must not keep the second.',
    fix: 'Fetch the accreditations from the TIR for each credential, or keep them no longer than their headers allow. If one is revoked, discard the credential.',
    async run(context): Promise<Finding> {
      const { world } = context.trust
      const issuer = registerIssuer(world)
      const behaviour: IssuerBehaviour = {
        credential: ({ holderDid, now }) => issueCredential(world, { holderDid, now, issuer }),
      }
      await asPremise('accepting a valid offer', takeCredential(context, { behaviour }))
      world.attributeOf(issuer).attribute.issuerType = 'REVOKED'
      return findNoneKept(context, [
        { wrong: 'of an issuer that was revoked since its previous credential', behaviour },
      ])
    },
  },
  'W113-verifier-key-revoked-between-requests': {
    title: 'The key of a verifier is looked up for each request',
    level: 'practice',
    expectation: 'refuse',
    control: 'requests',
    description:
      'A verifier revokes a stolen key. A wallet that keeps the DID document answers the thief.',
    sends:
      'A valid request of a new verifier. Then the DID registry shows its key as revoked, and a second request with the same key follows.',
    decides: 'The wallet must answer the first request, and must not post after the second.',
    fix: 'Fetch the DID document of the verifier for each request, or keep it no longer than its headers allow. If the key in kid is missing, show an error and do not post.',
    async run(context) {
      const { world } = context.trust
      const party = registerIssuer(world)
      await asPremise(
        'answering a valid request',
        takePresentation(context, { behaviour: { party } }),
      )
      endKey(world, party, context.now() - 600)
      return findRequestRefused(context, {
        behaviour: { party },
        why: 'the key of the verifier was revoked after its previous request',
      })
    },
  },
  'W114-deferred-credential-verified': {
    title: 'A deferred credential is verified like any other',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'A deferred credential arrives on another way through the wallet. If it skips the verification, an attacker only has to defer.',
    sends:
      'A credential endpoint that defers, then credentials with an invalid signature, of another holder, and of an issuer whose accreditation is revoked.',
    decides: 'The wallet must report a rejection of each credential, and must not list any.',
    fix: 'Verify the credential of the deferred endpoint with the same rules as that of the credential endpoint. Discard it if one is broken.',
    run: (context) =>
      findNoneKept(
        context,
        Object.entries(deferredDefects).map(([name, wrong]) => ({
          wrong,
          behaviour: { deferredPolls: 1, defect: requireDefect(name) },
        })),
      ),
  },
})

const deferredDefects: Readonly<Record<string, string>> = {
  'bad-signature': 'that was deferred and has an invalid signature',
  'subject-mismatch': 'that was deferred and is about another holder',
  'accreditation-revoked': 'that was deferred and whose issuer is revoked',
}
