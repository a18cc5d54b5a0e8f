import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createStatusEntry } from '#core/status-list/status-list-credential.ts'
import { decodePercent } from '#core/text/decode-percent.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { credentialsContext } from '#core/verification/data-model.ts'
import { allOf, setHeader, setPayload, signByOther } from '#wallet-emulator/faults/change-jws.ts'
import { defineChecks, type Finding, wronglyAccepted } from '../../../kit/check.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import type { Observation } from '../../../targets/verdict-sources.ts'
import type { Trap } from '../../../world/create-traps.ts'
import { type CredentialChange, signWithStrangeKey } from '../../../world/defects/defect.ts'
import {
  type Misbehaviour,
  misbehaviours,
  type OpenTrustWorld,
} from '../../../world/open-trust-world.ts'
import { publishStatusList } from '../../../world/publish-status-list.ts'
import { registerChain } from '../../../world/register-chain.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { VerifierContext } from '../context.ts'
import {
  findAcceptance,
  findEachRefused,
  notAccepted,
  type PresentationCase,
  presentOnce,
  requireStatusRead,
  withChange,
  withDefect,
} from '../presentation-checks.ts'

const registryNames = {
  tir: 'TIR',
  'did-registry': 'DID registry',
  'status-list': 'server of the status list',
} as const

/** The failures of an unavailable registry, for the text of a check. */
const outages = Object.values(misbehaviours).join(', ')

/** Unavailable registries, and addresses that a verifier has no reason to request. */
export const checks = defineChecks<VerifierContext>({
  'V44-tir-away': {
    title: 'No credential is accepted while the TIR is unavailable',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'An attacker who blocks the TIR would otherwise hide revoked accreditations. What cannot be looked up must not be accepted.',
    sends: `Valid presentations while the TIR is unavailable. For each one it fails in a different way: it ${outages}. Then it returns 500 only for requests about the TAO.`,
    decides:
      'None may be accepted, not even while the verifier waits. A session that stays open counts as a rejection.',
    fix: 'Limit the time of each lookup to a few seconds. Treat a timeout, a status other than 200 or 404, and an unreadable body of the TIR as a failed lookup. Do not accept the presentation without its response, not even for a moment.',
    timeLimitMilliseconds: 180_000,
    async run(context) {
      const finding = await findClosed(context, 'tir')
      if (finding.kind !== 'held' || context.isRepetition) return finding
      return (await findOpenAbove(context, 'tir')) ?? finding
    },
  },
  'V45-did-registry-away': {
    title: 'No credential is accepted while the DID registry is unavailable',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'An attacker who blocks the DID registry would otherwise hide revoked keys. What cannot be looked up must not be accepted.',
    sends: `Valid presentations while the DID registry is unavailable. For each one it fails in a different way: it ${outages}. Then it returns 500 only for requests with valid-at, only to those without it, or only to those about the TAO.`,
    decides:
      'None may be accepted, not even while the verifier waits. A session that stays open counts as a rejection, and so does a failure of a request that the verifier does not send.',
    fix: 'Limit the time of each lookup to a few seconds. Treat a timeout, a status other than 200 or 404, and an unreadable body of the DID registry as a failed lookup. Do not accept the presentation without its response, not even for a moment.',
    timeLimitMilliseconds: 180_000,
    async run(context) {
      const finding = await findClosed(context, 'did-registry')
      if (finding.kind !== 'held' || context.isRepetition) return finding
      return (
        (await findOpenByHalf(context)) ?? (await findOpenAbove(context, 'did-registry')) ?? finding
      )
    },
  },
  'V123-status-list-away': {
    title: 'No credential with a status is accepted while its status list is unavailable',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'An attacker who blocks the status list would otherwise hide revocations. What cannot be looked up must not be accepted.',
    sends: `Presentations of credentials with a status while their status list is unavailable. For each one its server fails in a different way: it ${outages}.`,
    decides:
      'None may be accepted, not even while the verifier waits. A session that stays open counts as a rejection.',
    fix: 'Treat a timeout, a status other than 200, and an unreadable body of the status list as a failed lookup. Do not accept the presentation without it, not even for a moment.',
    async run(context) {
      await requireStatusRead(context)
      return findClosed(context, 'status-list')
    },
  },
  'V46-foreign-terms-of-use': {
    title: 'A credential cannot make the verifier request an address of its choice',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29', 'CWE-918, Server-Side Request Forgery'],
    description:
      'The sender of a credential chooses termsOfUse.id. A verifier that fetches it can be used to reach internal services.',
    sends:
      'Credentials whose termsOfUse.id is on another port of this machine, directly or with the TIR as the user name of the URL, or leaves the TIR with backslashes, and one whose accreditation has such a termsOfUse.id.',
    decides: 'None may be accepted, and the verifier must not request that address.',
    fix: 'Parse termsOfUse.id, take only the DID and the attributeId from it, and build the address below your configured TIR. Never fetch the address itself.',
    run: (context) =>
      findTrapUnvisited(context, ({ origin }, { addresses: { tirBaseUrl }, world }) => {
        const { host } = new URL(origin)
        const outside = `${'\\..'.repeat(4)}\\${awayFromTir}`
        const ownUrl = createTermsOfUseUrl(tirBaseUrl, world.issuer)
        return [
          ['termsOfUse.id is another address.', termsOfUse(`${origin}/latest/meta-data`)],
          [
            'termsOfUse.id is another address, with the TIR as its user name.',
            termsOfUse(`http://${new URL(tirBaseUrl).hostname}@${host}/latest/meta-data`),
          ],
          [
            'The DID in termsOfUse.id is followed by a path with backslashes.',
            termsOfUse(ownUrl.replace('/attributes/', `${outside}/attributes/`)),
          ],
          {
            what: 'termsOfUse.id of the accreditation is another address.',
            issuer: registerChain(world, 'issuer', {
              payload: ({ payload }) => ({
                ...payload,
                vc: { ...payload.vc, ...termsOfUse(ownUrl.replace(/^.*(?=\/v1\/)/, origin)).vc },
              }),
              answer: ({ attribute }) => Object.assign(attribute, { attributeIdTao: undefined }),
            }),
          },
        ]
      }),
  },
  'V82-foreign-addresses': {
    title: 'No member of a token makes the verifier request a foreign address',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    clauses: ['docs/assumptions.md, A-29', 'CWE-918, Server-Side Request Forgery'],
    description:
      'The sender of a credential chooses every address in it, and did:web turns a kid into an address. Libraries follow jku and x5u, and contexts and schemas, before they have verified a signature.',
    sends:
      'Credentials whose status list is on another port of this machine, directly or with the credential issuer as the user name of the URL, has dot segments in its address, or is redirected to that port, and one whose kid is a did:web of it. A presentation whose kid is this did:web. Credentials and presentations without a valid signature, with addresses on that port in jku and x5u, in iss and kid, or in contexts, schema and evidence.',
    decides: 'None may be accepted, and the verifier must not request that address.',
    fix: 'Fetch status lists only below the configured addresses of credential issuers, compared without dot segments, and do not follow redirects. Resolve only did:org in kid of a credential, and decode did:key or did:jwk in kid of a presentation. Ignore all other addresses.',
    run: (context) =>
      findTrapUnvisited(context, ({ origin }, { addresses, world, misbehave }) => {
        const { credentialIssuerUrl } = addresses
        const { host } = new URL(origin)
        const moved = randomUUID()
        misbehave('status-list', { status: 302, headers: { location: `${origin}/list` } }, moved)
        const kid = `did:web:${encodeURIComponent(host)}#key-1`
        const listAt = (statusListUrl: string) => ({
          vc: { credentialStatus: createStatusEntry({ statusListUrl, index: 7 }) },
        })
        const listBelow = (path: string) => {
          const url = `${credentialIssuerUrl}/${path}`
          return { vc: { credentialStatus: publishStatusList(world, { url }) } }
        }
        return [
          ['The address of the status list has dot segments.', listBelow(`../${randomUUID()}`)],
          ['The address of the status list ends with dots.', listBelow(`${randomUUID()}/7/..`)],
          [
            'The address of the status list has dot segments and a query.',
            listBelow(`../${randomUUID()}?list=1`),
          ],
          ['The status list is at another address.', listAt(`${origin}/list`)],
          [
            'The status list is at another address, with the credential issuer as its user name.',
            listAt(`${credentialIssuerUrl}@${host}/list`),
          ],
          ['The address of the status list redirects to another one.', listBelow(moved)],
          ['kid is a did:web of another address.', { header: { kid } }],
          withChange('kid of the presentation is a did:web of another address.', {
            presentation: setHeader({ kid }),
          }),
          ...unsignedWithAddresses(origin),
        ]
      }),
  },
})

/**
 * No valid presentation may be accepted while a registry is unavailable, regardless of how it
 * fails.
 */
async function findClosed(
  context: VerifierContext,
  part: keyof typeof registryNames,
): Promise<Finding> {
  const all = Object.entries(misbehaviours)
  // Silence takes as long as the verifier waits: once is enough.
  const quick = all.filter(([behaviour]) => behaviour !== 'silent')
  const first = context.skipsSilence ? quick : all
  const cases = context.isRepetition ? dueCases(context, quick) : first
  return findEach(cases, async ([behaviour, does]) => {
    const what = `The ${registryNames[part]} ${does}.`
    const observation =
      behaviour === 'silent'
        ? await observeSilence(context, part, what)
        : await observeOutage(context, part, { behaviour: behaviour as Misbehaviour, what })
    context.trust.misbehave(part)
    return observation.verdict === 'accepted'
      ? findAcceptance(what, observation)
      : notAccepted(what, observation)
  })
}

/** The registry fails only if it is asked about the TAO of the issuer. */
async function findOpenAbove(
  context: VerifierContext,
  part: 'tir' | 'did-registry',
): Promise<Finding | undefined> {
  const { trust } = context
  const tao = registerIssuer(trust.world, { issuerType: 'TAO' })
  const issuer = registerIssuer(trust.world, { parent: tao })
  const what = `The ${registryNames[part]} returns 500 for requests about the TAO.`
  trust.misbehave(part, 'server-error', tao.did)
  const observation = await presentOnce(context, { what, issuer })
  trust.misbehave(part)
  return observation.verdict === 'accepted' ? findAcceptance(what, observation) : undefined
}

/** The DID registry fails only with, or only without valid-at. A verifier need not send both. */
async function findOpenByHalf(context: VerifierContext): Promise<Finding | undefined> {
  const { trust } = context
  const change = () => ({ vc: { credentialStatus: undefined } })
  for (const withTime of [true, false]) {
    const issuer = registerIssuer(trust.world)
    const about = new RegExp(withTime ? `${issuer.did}\\?valid-at=` : `${issuer.did}$`)
    trust.misbehave('did-registry', 'server-error', about)
    const which = withTime ? 'with valid-at' : 'without valid-at'
    const what = `The DID registry returns 500 for requests ${which}.`
    const observation = await presentOnce(context, { ...withDefect(what, { change }), issuer })
    trust.misbehave('did-registry')
    const wasAsked = trust.received.some(
      ({ path, query }) =>
        decodePercent(path)?.endsWith(issuer.did) && query.has('valid-at') === withTime,
    )
    if (observation.verdict === 'accepted' && wasAsked) return findAcceptance(what, observation)
  }
  return undefined
}

type Registry = keyof typeof registryNames

/** A valid presentation while a registry misbehaves at each request about its issuer or its list. */
function observeOutage(
  context: VerifierContext,
  part: Registry,
  { behaviour, what }: { readonly behaviour: Misbehaviour; readonly what: string },
): Promise<Observation> {
  // A new issuer, which cannot be in the cache of the verifier.
  const { trust } = context
  const issuer = registerIssuer(trust.world)
  const credentialStatus = publishStatusList(trust.world, { issuer })
  const isList = part === 'status-list'
  const list = new URL(credentialStatus.statusListCredential).pathname
  trust.misbehave(part, behaviour, isList ? list : issuer.did)
  const change = () => ({ vc: { credentialStatus } })
  const presentation = { ...(isList ? withDefect(what, { change }) : { what }), issuer }
  return behaviour === 'silent'
    ? presentAndWatch(context, presentation)
    : presentOnce(context, presentation)
}

const watchMilliseconds = 500

/**
 * Presents in a new session, and looks at its state while the verifier waits for a registry. A state
 * that is accepted then lets the waiting browser in, although it may be withdrawn later.
 */
async function presentAndWatch(
  context: VerifierContext,
  presentation: PresentationCase,
): Promise<Observation> {
  const { openRequest, present, observe, look } = context
  const opened = await openRequest()
  let isAnswered = false
  const posted = present(opened, presentation).finally(() => {
    isAnswered = true
  })
  let early: Observation | undefined
  while (!isAnswered && early === undefined) {
    await Promise.race([posted, wait(watchMilliseconds)])
    const seen = isAnswered ? undefined : await look(opened)
    if (seen?.verdict === 'accepted') early = seen
  }
  const observation = await observe(opened, await posted)
  return early ?? observation
}

/** By run: what the checks of a run have proven identifies it. */
const observedSilences = new WeakMap<VerifierContext['proven'], Map<Registry, Observation>>()

/**
 * The verdict about a presentation while a registry does not answer. The verifier waits as long for
 * each of them, so the first check that asks waits for all of them, and the next ones for none.
 * A result counts once: a check that asks again waits again.
 */
async function observeSilence(
  context: VerifierContext,
  part: Registry,
  what: string,
): Promise<Observation> {
  const { trust, proven, observesSeveral = false } = context
  const observed = observedSilences.get(proven) ?? new Map<Registry, Observation>()
  observedSilences.set(proven, observed)
  const known = observed.get(part)
  observed.delete(part)
  if (known) return known
  const others = (Object.keys(registryNames) as Registry[]).filter(
    (each) => observesSeveral && each !== part && !observed.has(each),
  )
  const observe = (each: Registry) => observeOutage(context, each, { behaviour: 'silent', what })
  const [own] = await Promise.allSettled([
    observe(part),
    ...others.map(async (each) => observed.set(each, await observe(each))),
  ])
  for (const each of others) trust.misbehave(each)
  if (own.status === 'rejected') throw own.reason
  return own.value
}

/** Tokens with addresses in other members. Nothing proves who chose them: a strange key signed. */
function unsignedWithAddresses(origin: string): PresentationCase[] {
  const keys = { jku: `${origin}/jku`, x5u: `${origin}/x5u` }
  const named = { kid: `${origin}/keys#1` }
  const content = {
    credentialSchema: { id: `${origin}/schema`, type: 'JsonSchema' },
    evidence: [{ id: `${origin}/evidence`, type: 'Evidence' }],
    refreshService: { id: `${origin}/refresh`, type: 'VerifiableCredentialRefreshService2021' },
  }
  const sign = signWithStrangeKey
  const withContext = setPayload({
    'vp.@context': (own: unknown) => [own, `${origin}/presentation-context`].flat(),
  })
  return [
    withDefect('An unknown key signed the credential, and is at jku and x5u.', {
      change: () => ({ header: keys }),
      sign,
    }),
    withDefect('iss, vc.issuer and kid of the credential are addresses.', {
      change: () => ({ header: named, claims: { iss: origin }, vc: { issuer: origin } }),
    }),
    {
      ...withDefect('Contexts, schema and evidence are at another address.', {
        change: () => ({
          vc: { '@context': [credentialsContext, `${origin}/context`], ...content },
        }),
        sign,
      }),
      ...withChange('', { presentation: withContext }),
      what: 'Contexts, schema and evidence are at another address.',
    },
    withChange('An unknown key signed the presentation, and is at jku and x5u.', {
      presentation: allOf(setHeader(keys), signByOther),
    }),
    withChange('iss and kid of the presentation are addresses.', {
      presentation: allOf(setHeader(named), setPayload({ iss: origin })),
    }),
  ]
}

const termsOfUse = (id: string) => ({
  vc: { termsOfUse: { id, type: 'TrustedIssuersRegistryEntry' } },
})

/** A path of the kit that belongs to none of its registries. */
const awayFromTir = 'meta-data'

/**
 * Presents credentials with an address that a verifier has no reason to request. None may be
 * accepted, and the address must not be requested.
 */
async function findTrapUnvisited(
  context: VerifierContext,
  changesFor: (
    trap: Trap,
    trust: OpenTrustWorld,
  ) => readonly (PresentationCase | readonly [what: string, change: CredentialChange])[],
): Promise<Finding> {
  const trap = await context.startTrap()
  const cases = changesFor(trap, context.trust).map((each) =>
    'what' in each ? each : withDefect(each[0], { change: () => each[1] }),
  )
  const finding = await findEachRefused(context, cases)
  const visits = [
    ...trap.visits,
    ...context.trust.asked.filter((path) => path.startsWith(`/${awayFromTir}`)),
  ]
  if (visits.length === 0) return finding
  return wronglyAccepted(
    `The verifier requested an address that the sender chose: ${visits.join(', ')}.`,
    {
      verdictSource: 'a server that only the credential or the presentation names',
      expected: 'no request',
      actual: visits,
    },
  )
}
