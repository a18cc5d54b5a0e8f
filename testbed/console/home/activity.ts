import { z } from 'zod'
import type { Hop } from '#kit/traces.ts'
import type { ActivityTexts } from './activity-texts.ts'

/** Something that happened, in one sentence. */
export interface Activity {
  /** Id of the exchange that shows it best. */
  readonly id: number
  /** Unix milliseconds. */
  readonly at: number
  readonly tone: 'good' | 'bad' | 'neutral'
  readonly text: string
  /** Why something was rejected. */
  readonly reason?: string
  /** True if the reason is the text of a service, which is English. */
  readonly isQuoted?: boolean
  /** How often it happened in a row. */
  readonly times: number
}

export interface ActivityOptions {
  readonly texts: ActivityTexts
  /** The name of an OpenID client, or its id. */
  readonly clientName: (id: string) => string
  /** The name of an organization, or its shortened DID. */
  readonly organizationName: (did: string) => string
}

type Sentence = Omit<Activity, 'id' | 'at' | 'times'> & Partial<Pick<Activity, 'id'>>

interface Scene extends ActivityOptions {
  readonly index: ActivityIndex
}

/** The sentence of a hop; undefined if it is only a step of something. */
type Describe = (hop: Hop, scene: Scene) => Sentence | undefined

const zResult = z.object({
  session_id: z.string(),
  status: z.enum(['SUCCESS', 'FAILED']),
  credential: z.unknown().optional(),
  failures: z.array(z.object({ rule: z.string(), reason: z.string() })).catch([]),
  unavailable: z.array(z.unknown()).catch([]),
})
const zDeferred = z.object({ acceptance_token: z.string() })
const zRevoked = z.object({ credential_id: z.string() })
const zProblem = z.object({ error: z.string().optional(), error_description: z.string() })
const zSubject = z.object({ subject: z.string() })
const zUser = z.object({ username: z.string() })
const zSigned = z.object({ signedRawTransaction: z.string() })
const zReceipt = z.object({ receipt: z.object({ status: z.int() }) })
const zHash = z.object({ result: z.string() })
const zSent = z.object({
  method: z.literal('sendSignedTransaction'),
  params: z.tuple([z.object({ unsignedTransaction: z.object({ data: z.string() }) })]),
})

const isRejection = ({ status }: Hop) => status >= 400 && status < 500

/** A rejection, with the reason that the service gave. */
function rejected(text: string, { responseBody }: Hop): Sentence {
  const reason = read(zProblem, responseBody)?.error_description
  return { tone: 'bad', text, ...(reason !== undefined && { reason, isQuoted: true }) }
}

function describeChange(
  change: RegistryChange | undefined,
  { texts, organizationName }: Scene,
): Sentence | undefined {
  if (change === undefined) return undefined
  const name = organizationName(change.did)
  if (change.kind === 'registered') return { tone: 'good', text: texts.registered(name) }
  const by = organizationName(change.taoDid)
  return change.issuerType === 'REVOKED'
    ? { tone: 'bad', text: texts.accreditationRevoked(name, by) }
    : { tone: 'good', text: texts.accredited(name, change.issuerType, by) }
}

function describeLogin(hop: Hop, scene: Scene): Sentence | undefined {
  const { index, texts, clientName } = scene
  const result = read(zResult, hop.requestBody)
  if (result === undefined) return undefined
  const { interaction = '', request = '' } = index.sessions.get(result.session_id) ?? {}
  const clientId = index.clients.get(interaction)
  const client = clientId && clientName(clientId)
  const person = (readMandate(result.credential) ?? index.presented.get(request))?.person
  const id = index.presentations.get(request) ?? hop.id
  if (result.status === 'SUCCESS') return { id, tone: 'good', text: texts.loggedIn(person, client) }
  const [failure] = result.failures
  const rejection = { id, tone: 'bad', text: texts.loginRejected(person, client) } as const
  if (failure === undefined || result.unavailable.length > 0)
    return { ...rejection, reason: texts.unchecked }
  const known = texts.reasons[failure.rule]
  return known === undefined
    ? { ...rejection, reason: failure.reason, isQuoted: true }
    : { ...rejection, reason: known }
}

/** By the part that answered. */
const describers: Readonly<Record<string, Describe>> = {
  mail({ kind, url, status, requestBody }, { texts }) {
    if (kind !== 'mail') return undefined
    const address = url.replace(/^mailto:/, '')
    if (status !== 250) return { tone: 'bad', text: texts.mailFailed(address) }
    return { tone: 'neutral', text: texts.mailed(address, read(zSubject, requestBody)?.subject) }
  },
  connector(hop, { texts, index }) {
    const { url, responseBody, requestId = '' } = hop
    if (hop.method !== 'POST') return undefined
    switch (url) {
      case '/preauth-code':
        return hop.status === 200 && !index.mailed.has(requestId)
          ? { tone: 'neutral', text: texts.offered }
          : undefined
      case '/token':
        return isRejection(hop) ? rejected(texts.offerRejected, hop) : undefined
      case '/credential':
      case '/deferred_credential': {
        if (read(zProblem, responseBody)?.error === 'issuance_pending') return undefined
        if (isRejection(hop)) return rejected(texts.credentialRejected, hop)
        const mandate = readIssued(responseBody)
        if (mandate !== undefined)
          return { tone: 'good', text: texts.received(mandate.person, mandate.type) }
        const isDeferred = read(zDeferred, responseBody) !== undefined
        return isDeferred ? { tone: 'neutral', text: texts.deferred } : undefined
      }
    }
    return undefined
  },
  issuer(hop, { texts, index }) {
    if (hop.method !== 'POST') return undefined
    switch (hop.url) {
      case '/issuance/credential/revoke': {
        if (isRejection(hop)) return rejected(texts.revocationRejected, hop)
        const id = read(zRevoked, hop.requestBody)?.credential_id ?? ''
        return { tone: 'bad', text: texts.revoked(index.mandates.get(id)) }
      }
      case '/issuance/representative':
      case '/issuance/employee':
        return isRejection(hop) ? rejected(texts.requestRejected, hop) : undefined
    }
    return undefined
  },
  idp(hop, scene) {
    if (hop.method !== 'POST') return undefined
    if (hop.url === '/idp/api/auth/results' && hop.status === 200) return describeLogin(hop, scene)
    const [, interaction] = /\/interaction\/([^/]+)\/cancel$/.exec(hop.url) ?? []
    if (interaction === undefined) return undefined
    const id = scene.index.clients.get(interaction)
    return { tone: 'neutral', text: scene.texts.cancelled(id && scene.clientName(id)) }
  },
  'token-issuer'({ method, url, status, requestBody }, { texts }) {
    const user = read(zUser, requestBody)?.username
    if (method !== 'POST' || !url.startsWith('/login/') || user === undefined) return undefined
    if (status === 303) return { tone: 'good', text: texts.signedIn(user) }
    return status === 401 ? { tone: 'bad', text: texts.signInRejected(user) } : undefined
  },
  'did-registry'({ url, requestBody, responseBody }, scene) {
    const isDone = read(zReceipt, responseBody)?.receipt.status === 1
    if (!isDone || !url.endsWith('/transactions/send')) return undefined
    const raw = read(zSigned, requestBody)?.signedRawTransaction ?? ''
    const changes = [...scene.index.changes]
    return describeChange(changes.find(([data]) => raw.includes(data.slice(2)))?.[1], scene)
  },
  tir({ requestBody, responseBody }, scene) {
    if (read(zHash, responseBody) === undefined) return undefined
    const [sent] = read(zSent, requestBody)?.params ?? []
    return describeChange(scene.index.changes.get(sent?.unsignedTransaction.data ?? ''), scene)
  },
}

function describeHop(hop: Hop, scene: Scene): Sentence | undefined {
  const { kind, from, to, status } = hop
  if (kind === 'http' && status >= 500)
    return { tone: 'bad', text: scene.texts.unavailable(to, status, from) }
  return Object.hasOwn(describers, to) ? describers[to]?.(hop, scene) : undefined
}

/**
 * What happened, oldest first: recorded hops in, sentences out. Repetitions in a row become one
 * entry with their number.
 */
export function describeActivity(hops: readonly Hop[], options: ActivityOptions): Activity[] {
  const scene = { ...options, index: createActivityIndex(hops) }
  const found: Activity[] = []
  for (const hop of hops) {
    const sentence = describeHop(hop, scene)
    if (sentence === undefined) continue
    const last = found.at(-1)
    const isSame = last?.text === sentence.text && last.reason === sentence.reason
    if (isSame) found.pop()
    found.push({ id: hop.id, at: hop.at, ...sentence, times: isSame ? last.times + 1 : 1 })
  }
  return found
}

/** What a sentence needs from a credential. */
interface Mandate {
  readonly id: string | undefined
  readonly type: string
  readonly person: string
  readonly organization: string
}

/** A change of the registries that a transaction makes. */
type RegistryChange =
  | { readonly kind: 'registered'; readonly did: string }
  | {
      readonly kind: 'accreditation'
      readonly did: string
      readonly issuerType: string
      readonly taoDid: string
    }

/** What hops say about other hops: who logs in where, whose credential an id names. */
interface ActivityIndex {
  /** Client ids by the id of the browser's interaction with the IDP. */
  readonly clients: ReadonlyMap<string, string>
  /** The interaction, and the id of the request, by the id of the verifier's session. */
  readonly sessions: ReadonlyMap<string, { readonly interaction: string; readonly request: string }>
  /** The presented credential by the id of the request. */
  readonly presented: ReadonlyMap<string, Mandate>
  /** The exchange with the presentation and the evaluated rules, by the id of the request. */
  readonly presentations: ReadonlyMap<string, number>
  /** Issued and presented credentials by their id. */
  readonly mandates: ReadonlyMap<string, Mandate>
  /** By the call data of the transaction. */
  readonly changes: ReadonlyMap<string, RegistryChange>
  /** Ids of the requests that sent an email. */
  readonly mailed: ReadonlySet<string>
}

const zCredential = z.object({
  id: z.string().optional(),
  type: z.array(z.string()).catch([]),
  credentialSubject: z.object({
    mandate: z.object({
      mandator: z.object({ organization: z.string() }),
      mandatee: z.object({ firstName: z.string(), lastName: z.string() }),
    }),
  }),
})
const zIssued = z.object({ credential: z.string() })
const zPresented = z.object({ vp_token: z.string() })
const zPresentation = z.object({ vp: z.object({ verifiableCredential: z.array(z.string()) }) })
const zOpened = z.object({ redirect_uri: z.string() })
const zSession = z.object({ session_id: z.string(), request_uri: z.string() })
const zDid = z.object({ did: z.string() })
const zCall = z.object({ data: z.string() })
const zAttribute = z.object({
  method: z.literal('setAttributeMetadata'),
  params: z.tuple([z.object({ did: z.string(), issuerType: z.string(), taoDid: z.string() })]),
})
const zAnswer = z.object({ result: zCall })

/** The value if it has the shape. */
const read = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> | undefined => schema.safeParse(value).data

/** A LEARCredential's names; undefined if it is not one. */
function readMandate(credential: unknown): Mandate | undefined {
  const found = read(zCredential, credential)
  if (found === undefined) return undefined
  const { mandator, mandatee } = found.credentialSubject.mandate
  return {
    id: found.id,
    type: found.type.at(-1) ?? 'credential',
    // An employee's names may both be derived from the email address.
    person: [...new Set([mandatee.firstName, mandatee.lastName])].join(' ').trim(),
    organization: mandator.organization,
  }
}

/** The claims of a token, which hops contain without its signature; undefined if it is not a JWT. */
function claimsOf(token: string | undefined): Record<string, unknown> | undefined {
  try {
    const [, payload = ''] = (token ?? '').split('.')
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined
  } catch {
    return undefined
  }
}

/** The credential in the answer to a wallet. */
const readIssued = (answer: unknown): Mandate | undefined =>
  readMandate(claimsOf(read(zIssued, answer)?.credential)?.vc)

const lastSegment = (url: string) => url.split('?')[0]?.split('/').at(-1) ?? ''

function createActivityIndex(hops: readonly Hop[]): ActivityIndex {
  const clients = new Map<string, string>()
  const sessions = new Map<string, { interaction: string; request: string }>()
  const presented = new Map<string, Mandate>()
  const presentations = new Map<string, number>()
  const mandates = new Map<string, Mandate>()
  const changes = new Map<string, RegistryChange>()
  const mailed = new Set<string>()
  const keep = (mandate: Mandate | undefined) => {
    if (mandate?.id !== undefined) mandates.set(mandate.id, mandate)
  }

  const readers: Readonly<Record<string, (hop: Hop) => void>> = {
    mail({ kind, requestId }) {
      if (kind === 'mail' && requestId !== undefined) mailed.add(requestId)
    },
    connector({ responseBody }) {
      keep(readIssued(responseBody))
    },
    idp({ url, responseHeaders }) {
      if (!url.startsWith('/accounts/authorize?')) return
      const client = new URLSearchParams(url.slice(url.indexOf('?'))).get('client_id')
      if (client !== null) clients.set(lastSegment(responseHeaders?.location ?? ''), client)
    },
    verifier({ id, url, requestBody, responseBody }) {
      if (url === '/sessions') {
        const { redirect_uri = '' } = read(zOpened, requestBody) ?? {}
        const interaction = /\/interaction\/([^/]+)\//.exec(redirect_uri)?.[1] ?? ''
        const session = read(zSession, responseBody)
        if (session === undefined) return
        sessions.set(session.session_id, {
          interaction,
          request: lastSegment(session.request_uri),
        })
      } else if (url.startsWith('/responses/')) {
        const claims = claimsOf(read(zPresented, requestBody)?.vp_token)
        const [credential] = read(zPresentation, claims)?.vp.verifiableCredential ?? []
        const mandate = readMandate(claimsOf(credential)?.vc)
        keep(mandate)
        const request = lastSegment(url)
        presentations.set(request, id)
        if (mandate !== undefined) presented.set(request, mandate)
      }
    },
    'did-registry'({ url, requestBody, responseBody }) {
      if (!url.endsWith('/contract/insertFirstDidDocument')) return
      const did = read(zDid, requestBody)?.did
      const data = read(zCall, responseBody)?.data
      if (did !== undefined && data !== undefined) changes.set(data, { kind: 'registered', did })
    },
    tir({ requestBody, responseBody }) {
      const [change] = read(zAttribute, requestBody)?.params ?? []
      const data = read(zAnswer, responseBody)?.result.data
      if (change !== undefined && data !== undefined)
        changes.set(data, { kind: 'accreditation', ...change })
    },
  }
  for (const hop of hops) readers[hop.to]?.(hop)
  return { clients, sessions, presented, presentations, mandates, changes, mailed }
}
