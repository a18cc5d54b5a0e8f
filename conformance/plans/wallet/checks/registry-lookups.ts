import {
  broken,
  defineChecks,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { type Misbehaviour, misbehaviours } from '../../../world/open-trust-world.ts'
import { publishStatusList } from '../../../world/publish-status-list.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import { findDocumentsAcceptable, lookupFailures } from '../../../world/registry-lookups.ts'
import type { WalletContext } from '../context.ts'
import type { VerifierBehaviour } from '../counterparts/verifier-session.ts'
import {
  casesFor,
  findNoneKept,
  findStopped,
  type WrongDelivery,
} from '../findings/issuance-findings.ts'
import { findRequestsRefused } from '../findings/presentation-findings.ts'

/** How a registry fails, without silence, which takes as long as the wallet waits. */
const outages = (Object.entries(misbehaviours) as [Misbehaviour, string][]).filter(
  ([misbehaviour]) => misbehaviour !== 'silent',
)
const allOutages = outages.map(([, does]) => does).join(', ')

const registryNames = { tir: 'TIR', 'did-registry': 'DID registry' } as const
type Registry = keyof typeof registryNames
const registries = Object.keys(registryNames) as Registry[]

/** How a wallet asks the registries, and what it does without their answers. */
export const checks = defineChecks<WalletContext>({
  'W69-did-registry-down': {
    title: 'No signed request is answered while the DID registry is unavailable',
    level: 'practice',
    expectation: 'refuse',
    control: 'requests',
    description: 'An attacker must not gain anything by blocking the registry.',
    sends: `Signed requests of verifiers that are new to the wallet, while the DID registry is unavailable. For each one it fails in a different way: it ${allOutages}.`,
    decides:
      'The wallet must not post a presentation before the verb ends, and must report a rejection.',
    fix: 'Treat a timeout, a status other than 200 and an unreadable body of the DID registry as a failed verification of the request: show an error and do not post.',
    timeLimitMilliseconds: 300_000,
    run: (context) =>
      findRequestsRefused(
        context,
        outages.map(([misbehaviour, does]) => ({
          why: `the DID registry ${does}`,
          behaviour: signedDuring(context, misbehaviour),
        })),
      ),
  },
  'W70-registries-down': {
    title: 'No credential is kept while the TIR or the DID registry is unavailable',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'An attacker must not gain anything by blocking a registry.',
    sends: `Valid credentials of new issuers while the TIR is unavailable, and while the DID registry is. For each one it fails in a different way: it ${allOutages}. Then each of them returns 500 only for requests about the TAO, and the DID registry only for those with valid-at.`,
    decides: 'The wallet must report a rejection of each credential, and must not list any.',
    fix: 'Treat a timeout, a status other than 200 and an unreadable body of TIR and DID registry as a failed verification: do not store the credential, and show the holder that the issuer could not be verified.',
    timeLimitMilliseconds: 300_000,
    run: (context) =>
      findNoneKept(context, [
        ...registries.flatMap((registry) =>
          outages.map(([misbehaviour, does]) =>
            duringOutage(context, registry, { misbehaviour, does }),
          ),
        ),
        ...registries.map((registry) =>
          duringOutage(context, registry, { ...serverError, only: 'about the TAO' }),
        ),
        duringOutage(context, 'did-registry', { ...serverError, only: 'with valid-at' }),
      ]),
  },
  'W159-silent-registries': {
    title: 'The wallet stops waiting for a server that does not respond',
    level: 'practice',
    expectation: 'advice',
    control: 'offers',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'A server behind an overloaded proxy accepts the connection and then stays silent. A wallet without a time limit waits forever, and its holder does not learn why.',
    sends:
      'An offer whose issuer accepts the request for its metadata but does not respond, and a request of a verifier that does not answer the presentation. Offers of new issuers while the TIR, and then the DID registry, accepts connections but does not respond. If the wallet presents, also a signed request of a verifier while the DID registry is silent.',
    decides:
      'Each verb must end within its time limit and report a failure or a rejection. The wallet must not present while the DID registry is silent.',
    fix: 'Set a time limit for each request, such as 10 seconds. Afterwards, discard the credential or the request, and show the holder that the server did not respond. If your wallet waits for longer, increase timeoutSeconds of the verb.',
    timeLimitMilliseconds: 300_000,
    run: (context) =>
      findEach(
        casesFor(context, [
          ...registries.map((registry) => () => findOfferStopped(context, registry)),
          () => findRequestStopped(context),
          () => findSilentIssuerLeft(context),
          () => findSilentVerifierLeft(context),
        ]),
        (find) => find(),
      ),
  },
  'W157-type-of-documents': {
    title: 'DID documents are requested in a type that the DID registry has',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.2', '2.errors/did-registry.6', '2.errors/did-registry.8'],
    description:
      'The DID registry returns 406 if Accept contains neither of its two types. A wallet that asks for application/json gets no document, and rejects every credential.',
    sends: 'An offer of a new issuer.',
    decides:
      'Each request for a DID document must accept application/did+ld+json or application/did+json. A missing Accept accepts both.',
    fix: 'Send Accept: application/did+ld+json with each request to the DID registry, or no Accept at all.',
    async run(context) {
      const { world, received } = context.trust
      const issuer = registerIssuer(world)
      const session = context.openIssuer({
        credential: ({ holderDid, now, credentialIssuer: credentialIssuerUrl }) =>
          issueCredential(world, { holderDid, now, issuer, credentialIssuerUrl }),
      })
      const { reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
      context.noteChanged()
      return findDocumentsAcceptable(received, reason)
    },
  },
  'W158-lookup-failed-before': {
    title: 'A credential is kept as soon as a failed lookup succeeds',
    level: 'practice',
    expectation: 'accept',
    control: 'offers',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'An outage is short, and an organization may be registered after its first offer. A wallet that remembers failed lookups rejects valid credentials until its next restart.',
    sends: `Offers of new issuers, each opened while a lookup fails, and again when it succeeds: ${Object.keys(lookupFailures).join(' ')}`,
    decides: 'The wallet must report the credential of each second attempt.',
    fix: 'Do not keep failed lookups (timeouts, 404, 5xx). Look everything up again for each credential.',
    timeLimitMilliseconds: 300_000,
    run: (context) =>
      findEach(casesFor(context, Object.entries(lookupFailures)), async ([what, fail]) => {
        const { trust, wallet } = context
        const issuer = registerIssuer(trust.world)
        const session = context.openIssuer({
          credential: ({ holderDid, now }) => {
            const change = () => ({ vc: { credentialStatus } })
            const defect = { name: 'status', description: what, change }
            return issueCredential(trust.world, { holderDid, now, issuer, defect })
          },
        })
        const statusListUrl = `${session.credentialIssuer}/status-lists/1`
        const credentialStatus = publishStatusList(trust.world, { issuer, url: statusListUrl })
        const accept = () => wallet.acceptOffer({ link: session.offerByValue() })
        const succeed = fail(trust, { issuer, statusListUrl })
        // W20, W70 and W103 evaluate this attempt.
        await accept()
        succeed()
        const before = session.delivered.length
        const { outcome, reason, source: verdictSource } = await accept()
        context.noteChanged()
        const again = `${what} Then it succeeds.`
        if (session.delivered.length === before) {
          return inconclusive(`${again} The wallet did not request the credential: ${reason}`)
        }
        if (outcome === 'done') return held(`${again} The wallet kept it.`, { verdictSource })
        return outcome === 'refused'
          ? broken(`${again} The wallet rejected the credential: ${reason}`, { verdictSource })
          : inconclusive(`${again} ${reason}`, { verdictSource })
      }),
  },
})

const serverError = {
  misbehaviour: 'server-error',
  does: misbehaviours['server-error'],
} as const
const silence = { misbehaviour: 'silent', does: misbehaviours.silent } as const

/** Whether the wallet ends an offer whose issuer it cannot look up. */
async function findOfferStopped(context: WalletContext, registry: Registry): Promise<Finding> {
  const session = context.openIssuer(duringOutage(context, registry, silence).behaviour)
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  context.trust.settle()
  context.noteChanged()
  return session.delivered.length === 0
    ? inconclusive(`The wallet did not get the credential: ${answer.reason}`)
    : findStopped(answer, `although the ${registryNames[registry]} did not respond`)
}

/** Whether the wallet ends a signed request whose verifier it cannot look up. */
async function findRequestStopped(context: WalletContext): Promise<Finding> {
  await context.holdCredential()
  const session = context.openVerifier(signedDuring(context, 'silent'))
  const answer = await context.wallet.present({
    link: session.requestByReference(session.party.did),
  })
  context.trust.settle()
  const after = 'although the DID registry did not respond'
  if (session.posts.length > 0) {
    const verdictSource = 'posts to response_uri'
    return wronglyAccepted(`The wallet presented a credential ${after}.`, { verdictSource })
  }
  return session.requestsTo('request').length === 0
    ? inconclusive(`The wallet did not fetch the request: ${answer.reason}`)
    : findStopped(answer, after)
}

/** Whether the wallet ends an offer whose issuer does not answer. */
async function findSilentIssuerLeft(context: WalletContext): Promise<Finding> {
  const session = context.openIssuer({ answers: { metadata: () => 'hang' } })
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  return session.requestsTo('metadata').length === 0
    ? inconclusive(`The wallet did not request the metadata: ${answer.reason}`)
    : findStopped(answer, 'although the issuer did not respond')
}

/** Whether the wallet ends a request whose verifier does not answer the presentation. */
async function findSilentVerifierLeft(context: WalletContext): Promise<Finding> {
  await context.holdCredential()
  const session = context.openVerifier({ answers: { response: () => 'hang' } })
  const answer = await context.wallet.present({
    link: session.requestByReference(session.party.did),
  })
  return session.posts.length === 0
    ? inconclusive(`The wallet did not post: ${answer.reason}`)
    : findStopped(answer, 'although the verifier did not respond')
}

/** A signed request of a new verifier that cannot be looked up as soon as the wallet has it. */
const signedDuring = ({ trust }: WalletContext, misbehaviour: Misbehaviour): VerifierBehaviour => ({
  party: registerIssuer(trust.world),
  answers: {
    request(usual) {
      trust.misbehave('did-registry', misbehaviour)
      return usual
    },
  },
})

/** A credential whose issuer cannot be looked up from its delivery on. */
function duringOutage(
  { trust }: WalletContext,
  registry: Registry,
  outage: {
    readonly misbehaviour: Misbehaviour
    readonly does: string
    /** The requests that fail, if not all do. */
    readonly only?: 'about the TAO' | 'with valid-at'
  },
): WrongDelivery {
  const { misbehaviour, does, only } = outage
  const { world } = trust
  const tao = registerIssuer(world, { issuerType: 'TAO' })
  const issuer = registerIssuer(world, { parent: tao })
  const requests = only === undefined ? '' : ` to requests ${only}`
  const about = { 'about the TAO': tao.did, 'with valid-at': '?valid-at=' }
  return {
    wrong: `while the ${registryNames[registry]} ${does}${requests}`,
    behaviour: {
      credential({ holderDid, now, credentialIssuer: credentialIssuerUrl }) {
        for (const each of registries) trust.misbehave(each)
        trust.misbehave(registry, misbehaviour, only && about[only])
        return issueCredential(world, { holderDid, now, issuer, credentialIssuerUrl })
      },
    },
  }
}
