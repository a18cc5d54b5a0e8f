import { setTimeout as sleep } from 'node:timers/promises'
import { toIsoTime } from '#core/verification/data-model.ts'
import { broken, defineChecks, held, inconclusive, wronglyAccepted } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { mandate, type Party, type TrustWorld } from '../../../world/create-trust-world.ts'
import { requireDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { CredentialChange } from '../../../world/defects/defect.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { endKey, replaceKey } from '../../../world/key-uses.ts'
import { publishStatusList } from '../../../world/publish-status-list.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour, IssuerSession } from '../counterparts/issuer-session.ts'
import { casesFor, findNoneKept, takeCredential } from '../findings/issuance-findings.ts'
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
      'The wallet must not post a presentation before the verb ends, and must report a rejection.',
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
    title: 'What registries and lists say is looked up for each credential',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'An issuer may lose its accreditation or its key at any time, and revoke a credential. A wallet that keeps the responses trusts it until the next restart.',
    sends:
      'Valid credentials of new issuers. Then the accreditation of the issuer or of its TAO is revoked in the TIR, its key in the DID registry, or the index in the status list, or the registry shows another key under the kid of the TAO, and a second credential follows.',
    decides:
      'The wallet must keep the first credential of each issuer, and must not keep the second.',
    fix: 'Look up accreditations, DID documents and status lists for each credential, or keep them no longer than their headers allow. If one of them shows a revocation, discard the credential.',
    run: (context) =>
      findEach(casesFor(context, Object.entries(revocations)), async ([wrong, revoke]) => {
        const { world } = context.trust
        const tao = registerIssuer(world, { issuerType: 'TAO' })
        const issuer = registerIssuer(world, { parent: tao })
        let revoked: readonly number[] = []
        const session = context.openIssuer({
          credential: ({ holderDid, now, credentialIssuer }) => {
            const url = `${credentialIssuer}/status-lists/1`
            const credentialStatus = publishStatusList(world, { issuer, url, revoked })
            const change = () => ({ vc: { credentialStatus } })
            const defect = { name: 'status', description: wrong, change }
            return issueCredential(world, { holderDid, now, issuer, defect })
          },
        })
        const accept = () => context.wallet.acceptOffer({ link: session.offerByValue() })
        const first = await accept()
        context.noteChanged()
        const kept = session.delivered.length
        if (first.outcome !== 'done' || kept === 0) {
          return inconclusive(`The wallet did not keep a valid credential: ${first.reason}`)
        }
        revoke({ world, issuer, tao, now: context.now() })
        if (revoke === revokeIndex) revoked = [7]
        const { outcome, reason, source: verdictSource } = await accept()
        if (outcome === 'done' && session.delivered.length > kept) {
          return wronglyAccepted(`The wallet accepted a credential ${wrong}.`, { verdictSource })
        }
        return outcome === 'refused'
          ? held(`The wallet did not keep a credential ${wrong}: ${reason}`, { verdictSource })
          : inconclusive(reason, { verdictSource })
      }),
  },
  'W156-key-replaced-within-offer': {
    title: 'A verified signature does not count for another key under the same kid',
    level: 'practice',
    expectation: 'advice',
    control: 'offers',
    description:
      'An organization whose key was stolen registers another one. A wallet that remembers only which accreditations were valid still trusts those of the thief.',
    sends:
      'An offer of two credentials of a new issuer. Before the second one is delivered, the DID registry shows another key under the kid of the TAO.',
    decides: 'The wallet must report a rejection of the second credential.',
    fix: 'Verify the accreditation again for each credential, or remember its signature together with the public key that verified it, not only with its kid.',
    async run(context) {
      const { world } = context.trust
      const tao = registerIssuer(world, { issuerType: 'TAO' })
      const issuer = registerIssuer(world, { parent: tao })
      const ids = ['OrgPortalLearCredential', 'OrgPortalLearCredential-2']
      const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']
      const session: IssuerSession = context.openIssuer({
        offer: { credentials: ids },
        metadata: {
          credentials_supported: ids.map((id) => ({ id, format: 'jwt_vc_json', types })),
        },
        credential({ holderDid, now, credentialIssuer }) {
          if (session.delivered.length === 1) replaceKey(world, tao)
          const credentialIssuerUrl = credentialIssuer
          return issueCredential(world, { holderDid, now, issuer, credentialIssuerUrl })
        },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      context.noteChanged()
      const { outcome, reason, source: verdictSource } = answer
      if (session.delivered.length < 2) {
        const missing = 'The wallet did not request the second credential: see W91.'
        return inconclusive(`${missing} ${reason}`, { verdictSource })
      }
      if (outcome === 'done') {
        return broken('The wallet accepted a credential whose TAO has another key now.', {
          verdictSource,
        })
      }
      return outcome === 'refused'
        ? held(`The wallet did not keep the second credential: ${reason}`, { verdictSource })
        : inconclusive(reason, { verdictSource })
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
  'W164-valid-before-expired': {
    title: 'The wallet presents a valid credential instead of an expired one',
    level: 'practice',
    expectation: 'advice',
    needs: ['quick-offers'],
    control: 'requests',
    description:
      'Verifiers reject an expired credential: the login fails although the holder has a valid one. Whether a wallet presents an expired credential if it has no other is up to the wallet.',
    sends:
      'Two credentials that are valid for some seconds, one according to exp and the other to validUntil, a credential that is valid for long, and two more short ones. After the end of the short ones, a request that all five match.',
    decides:
      'The presentation must not contain an expired credential. If the wallet presents none, or no longer has the valid one, the check is inconclusive.',
    fix: 'Compare exp and validUntil of each matching credential with the current time. Select an expired one only if no valid one matches, and show the holder that it has expired.',
    timeLimitMilliseconds: 120_000,
    async run(context) {
      const { now, trust, wallet } = context
      const take = (claims: object, ends: CredentialChange = {}) => {
        const defect = { name: 'end', description: 'ends soon', change: () => ends }
        const mandatee = { ...mandate.mandatee, ...claims }
        const credential: IssuerBehaviour['credential'] = (order) =>
          issueCredential(trust.world, { ...order, mandate: { ...mandate, mandatee }, defect })
        return asPremise(
          'accepting a valid offer',
          takeCredential(context, { behaviour: { credential } }),
        )
      }
      const began = performance.now()
      await take({})
      const end = Math.ceil(now() + 5 + (performance.now() - began) / 100)
      const short = [
        { claims: { exp: end }, vc: { validUntil: undefined } },
        { claims: { exp: undefined }, vc: { validUntil: toIsoTime(end) } },
      ]
      const expired: unknown[] = []
      const takeShort = async () => {
        for (const ends of short) expired.push((await take({ x_badge: 1 }, ends)).credential)
      }
      await takeShort()
      await take({ x_badge: 1, x_valid: 1 })
      // Wallets may order credentials by the second in which they received them.
      await sleep(1000)
      await takeShort()
      context.noteChanged()
      await sleep(Math.max(0, end + 1 - now()) * 1000)
      const presented = async (name: string) => {
        const path = [`$.vc.credentialSubject.mandate.mandatee.${name}`]
        const session = context.openVerifier({ query: { claims: [{ path }] } })
        const link = session.requestByReference(session.party.did)
        const { reason } = await wallet.present({ link })
        return { reason, credentials: session.posts[0]?.credentials ?? [] }
      }
      const verdictSource = 'post to response_uri'
      const { credentials, reason } = await presented('x_badge')
      if (credentials.length === 0) return inconclusive(`The wallet presented none: ${reason}`)
      if (!credentials.some((each) => expired.includes(each))) {
        return held('The wallet presented the valid credential.', { verdictSource })
      }
      return (await presented('x_valid')).credentials.length > 0
        ? broken('The wallet presented an expired credential, although it has a valid one.', {
            verdictSource,
          })
        : inconclusive('The wallet no longer has the valid credential.', { verdictSource })
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

interface Chain {
  readonly world: TrustWorld
  readonly issuer: Party
  readonly tao: Party
  /** Unix seconds. */
  readonly now: number
}

/** The list is published again with each credential. */
const revokeIndex = () => {}

/** What is revoked, as text after `a credential`. */
const revocations: Readonly<Record<string, (chain: Chain) => void>> = {
  'of an issuer that was revoked since its previous credential': ({ world, issuer }) => {
    world.attributeOf(issuer).attribute.issuerType = 'REVOKED'
  },
  'of an issuer whose TAO was revoked since its previous credential': ({ world, tao }) => {
    world.attributeOf(tao).attribute.issuerType = 'REVOKED'
  },
  'of an issuer whose key was revoked since its previous credential': ({ world, issuer, now }) =>
    endKey(world, issuer, now - 600),
  'of an issuer whose TAO has had another key under the same kid since its previous credential': ({
    world,
    tao,
  }) => replaceKey(world, tao),
  'whose index was revoked since the previous credential': revokeIndex,
}

const deferredDefects: Readonly<Record<string, string>> = {
  'bad-signature': 'that was deferred and has an invalid signature',
  'subject-mismatch': 'that was deferred and is about another holder',
  'accreditation-revoked': 'that was deferred and whose issuer is revoked',
}
