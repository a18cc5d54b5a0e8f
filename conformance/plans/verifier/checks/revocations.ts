import { randomBytes } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { parseJws } from '#core/crypto/jws.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import {
  type CheckTexts,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import { createHolder, type Party, type TrustWorld } from '../../../world/create-trust-world.ts'
import { signWithStrangeKey } from '../../../world/defects/defect.ts'
import { flipBit } from '../../../world/defects/signature-defects.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { endKey, removeKey } from '../../../world/key-uses.ts'
import { publishStatusList } from '../../../world/publish-status-list.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { PresentationOptions, VerifierContext } from '../context.ts'
import { findAcceptance, presentOnce, withDefect } from '../presentation-checks.ts'
import { createUsualAccount } from '../usual-account.ts'

const hour = 3600

/** An issuer for one credential. */
interface Issuance {
  readonly world: TrustWorld
  readonly issuer: Party
  readonly parent: Party
  /** The trusted root, with an accreditation that only this issuer depends on. */
  readonly root: Party
  /** Address of the status list of the issuer. */
  readonly statusListUrl: string
  /** Unix seconds. */
  readonly now: number
}

/** What is different before a credential is presented again, and what is presented then. */
type Event = (
  issuance: Issuance & { readonly credential: string },
) => PresentationOptions | undefined

type Row = CheckTexts & {
  readonly events: Readonly<Record<string, Event>>
}

/** A credential that was accepted, and is presented again after it became invalid or was changed. */
export const checks = defineChecks<VerifierContext, Row>(
  {
    'V117-revoked-meanwhile': {
      title: 'A credential is rejected once it is revoked',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-23'],
      description:
        'A person who has just left must not log in. A status list that the verifier keeps, or a verdict that it remembers, delays the revocation. The list says with ttl 0 that it must not be kept.',
      fix: 'Fetch the status list for each presentation, or keep it no longer than its ttl. Do not remember the verdict on a credential.',
      events: {
        'The issuer revoked the credential.': ({ world, issuer, statusListUrl }) => {
          publishStatusList(world, { issuer, revoked: [7], url: statusListUrl })
        },
        'The issuer withdrew its status list.': ({ world, statusListUrl }) => {
          world.statusLists.delete(statusListUrl)
        },
      },
    },
    'V118-accreditation-revoked-meanwhile': {
      title: 'A credential is rejected as soon as an accreditation above it is revoked',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'An accreditation is revoked when its organization is no longer trusted. Until a verifier reads it again, it accepts everything that this organization signs.',
      fix: 'Read each attribute from the TIR for each presentation, or keep it for seconds only. Do not remember that an issuer is accredited.',
      events: {
        'The accreditation of the issuer was revoked.': ({ world, issuer }) => {
          world.attributeOf(issuer).attribute.issuerType = 'REVOKED'
        },
        'The accreditation of its TAO was revoked.': ({ world, parent }) => {
          world.attributeOf(parent).attribute.issuerType = 'REVOKED'
        },
        'The accreditation of the root was revoked.': ({ world, root }) => {
          world.attributeOf(root).attribute.issuerType = 'REVOKED'
        },
        'The accreditation of the issuer was removed.': ({ world, issuer }) => {
          world.attributes.delete(`${issuer.did} ${issuer.attributeId}`)
        },
      },
    },
    'V119-key-revoked-meanwhile': {
      title:
        'A credential is rejected as soon as its key is revoked from a time before the signature',
      level: 'practice',
      rows: ['2.states-and-transitions.4'],
      description:
        'A theft is noticed later: the key is then revoked from a time before the last signatures. A verifier that caches the DID document still accepts the signatures of the thief.',
      fix: 'Resolve the DID documents of issuer and TAO for each presentation, or keep them for a few seconds at most, including those with a valid-at in the past.',
      events: {
        'The key was revoked from an hour before the signature.': ({ world, issuer, now }) => {
          endKey(world, issuer, now - hour)
        },
        'The DID of the issuer was removed.': ({ world, issuer }) => {
          removeKey(world, issuer)
        },
        'The key of its TAO was revoked from before its accreditation.': ({
          world,
          parent,
          now,
        }) => {
          endKey(world, parent, now - 48 * hour)
        },
        'Another key has the id of the key.': ({ world, issuer }) => {
          replaceKey(world, issuer)
        },
        'Another key has the id of the key of its TAO.': ({ world, parent }) => {
          replaceKey(world, parent)
        },
      },
    },
    'V136-known-credential': {
      title: 'A credential that was accepted before is verified completely again',
      level: 'spec',
      rows: ['1.states-and-transitions.7', '1.errors.10'],
      description:
        'A verifier that remembers the ids of credentials that it has verified accepts everything that contains such an id, from everyone. If it remembers texts without their signatures, it accepts them without a signature.',
      fix: 'Verify signature, content and holder of the credential in each presentation. Do not remember a verdict under the id of a credential, or under its text without the signature.',
      events: {
        'Another holder presents it.': () => ({ account: createAccount() }),
        'Its signature was changed.': ({ credential }) => ({
          createCredential: () => flipBit(credential),
        }),
        'Its mandate was changed.': ({ credential }) => changed(credential, false),
        'Its mandate was changed, and another key signed it.': ({ credential }) =>
          changed(credential, true),
      },
    },
  },
  ({ events, ...row }) => ({
    observes: true,
    ...row,
    expectation: 'refuse',
    sends: `A credential that the verifier must accept, and the same credential again after each of these: ${Object.keys(events).join(' ')}`,
    decides:
      'The verifier must accept the first presentation, or the check is inconclusive, and must reject the second one.',
    run: (context) =>
      findEach(dueCases(context, Object.entries(events), 1), ([what, happens]) =>
        findRejectedAfter(context, what, happens),
      ),
  }),
)

/** A credential with the same ids and other powers: with the old signature, or of an unknown key. */
function changed(credential: string, isSigned: boolean): PresentationOptions {
  const jws = parseJws(credential)
  if (!jws.ok) throw new TypeError('the credential is not a JWT')
  const [header = '', body = '', signature = ''] = credential.split('.')
  const text = Buffer.from(body, 'base64url').toString().replaceAll('"function":"', '"function":"x')
  if (!isSigned) {
    return { createCredential: () => `${header}.${encodeBase64url(text)}.${signature}` }
  }
  const { privateKey } = createHolder('another key')
  return {
    createCredential: () =>
      signWithStrangeKey({ ...jws.header, alg: 'ES256K' }, JSON.parse(text), privateKey),
  }
}

/** Registers another key under the kid of a party. */
function replaceKey(world: TrustWorld, party: Party): void {
  removeKey(world, party)
  world.use(party.kid, publicJwkOf(createHolder('another key').privateKey), 'assertionMethod')
}

async function findRejectedAfter(
  context: VerifierContext,
  what: string,
  happens: Event,
): Promise<Finding> {
  const { world } = context.trust
  const now = context.now()
  const root = { ...world.root, attributeId: randomBytes(32).toString('hex') }
  world.publish(root, root, 'RTAO')
  const parent = registerIssuer(world, { parent: root, issuerType: 'TAO' })
  const issuer = registerIssuer(world, { parent })
  const credentialStatus = publishStatusList(world, { issuer })
  const account = createUsualAccount()
  const { defect } = withDefect(what, { change: () => ({ vc: { credentialStatus } }) })
  const credential = issueCredential(world, {
    holderDid: account.did,
    now,
    issuer,
    ...(defect && { defect }),
  })
  const presentation = { what, account, createCredential: () => credential }
  const first = await presentOnce(context, presentation)
  if (first.verdict !== 'accepted') {
    const premise = 'The verifier did not accept the credential before its end; see V60.'
    return inconclusive(`${premise} ${first.reason}`)
  }
  const { statusListCredential: statusListUrl } = credentialStatus
  const again = happens({ world, issuer, parent, root, statusListUrl, now, credential })
  const second = await presentOnce(context, { ...presentation, ...again })
  if (second.verdict === 'accepted') return findAcceptance(what, second)
  const found = second.verdict === 'refused' ? held : inconclusive
  return found(`${what} ${second.reason}`, { verdictSource: second.source })
}
