import type { Hop } from '#kit/traces.ts'
import { decodeToken, replaceTokens } from '#scenarios/reports/pack-run.ts'

/** What a journey is about, from the most to the least specific. */
const kinds = [
  'scenario',
  'revocation',
  'issuance',
  'login',
  'seeding',
  'registry-change',
  'records',
  'request',
] as const

export type JourneyKind = (typeof kinds)[number]

/** What the exchanges of a journey say about it; all texts are foreign. */
export interface JourneyFacts {
  readonly kind: JourneyKind
  /** First and last name of the holder. */
  readonly person?: string
  readonly organization?: string
  readonly credentialType?: string
  /** `client_id` of the relying party or portal. */
  readonly client?: string
  /** `suite/name/algorithm`. */
  readonly scenario?: string
  /** Part and path of the first exchange. */
  readonly request: string
  /** `rejected`: a part found a broken rule, or reported an error in the end. */
  readonly outcome: 'open' | 'done' | 'rejected'
}

/** Exchanges that belong together, such as an issuance or a login. */
export interface Journey extends JourneyFacts {
  /** The id of its first exchange. */
  readonly id: number
  /** Unix time in milliseconds of its first exchange. */
  readonly at: number
  readonly count: number
}

/** The journey of a hop, and journeys that turned out to be part of it. */
export interface JourneyOfHop {
  readonly journey: Journey
  readonly absorbed: readonly number[]
}

export interface JourneyBook {
  /** Adds a hop of an environment; hops are added in the order of their ids. */
  add(hop: Hop, environment?: string): JourneyOfHop
  /** Oldest first. */
  list(): readonly Journey[]
  /** The journey that an id refers to, also after that journey became part of another. */
  find(id: number): Journey | undefined
}

interface Draft extends JourneyFacts {
  id: number
  at: number
  lastAt: number
  count: number
  /** Consists of lookups only, which a part makes for another exchange. */
  isLoose: boolean
}

/** Milliseconds between a lookup and the exchange for which a part makes it. */
const nearby = 5000

/** Login pages without a poll that are remembered. */
const lookedBack = 20

/** Journeys and their keys that are remembered. */
const mostJourneys = 2000

/**
 * Groups hops into journeys: by scenario, by request id, and by the sessions, offers and codes that
 * their messages name. Wallets look up registries and metadata without any of these: such a hop
 * belongs to what that part does at that time.
 */
export function createJourneyBook(): JourneyBook {
  const journeys = new Map<number, Draft>()
  const idByKey = new Map<string, number>()
  const successor = new Map<number, number>()
  const lastOfPart = new Map<string, number>()
  const personOfCredential = new Map<string, string>()
  /** Journeys whose login page was opened and does not poll yet. */
  let openedPages: { readonly id: number; readonly environment: string | undefined }[] = []

  const current = (id: number | undefined): Draft | undefined => {
    let found = id
    while (found !== undefined && successor.has(found)) found = successor.get(found)
    return found === undefined ? undefined : journeys.get(found)
  }

  function forgetOldest(): void {
    openedPages = openedPages.slice(-lookedBack)
    for (const id of personOfCredential.keys()) {
      if (personOfCredential.size > mostJourneys) personOfCredential.delete(id)
    }
    if (journeys.size <= mostJourneys) return
    const [oldest] = journeys.keys()
    if (oldest !== undefined) journeys.delete(oldest)
    for (const [key, id] of idByKey) if (current(id) === undefined) idByKey.delete(key)
    for (const id of successor.keys()) if (current(id) === undefined) successor.delete(id)
  }

  /** A revocation names only the credential; who holds it is known from its issuance. */
  function nameHolder(journey: Draft, content: string): void {
    if (journey.kind !== 'issuance' && journey.kind !== 'revocation') return
    for (const [, id = ''] of content.matchAll(/urn:uuid:([\w-]{36})/g)) {
      const known = personOfCredential.get(id)
      if (journey.kind === 'revocation' && known !== undefined) {
        Object.assign(journey, { person: known })
      }
      if (journey.kind === 'issuance' && journey.person !== undefined) {
        personOfCredential.set(id, journey.person)
      }
    }
  }

  return {
    add(hop, environment) {
      const content = readContent(hop)
      const own = keysOf(hop, content)
      const found = new Set<Draft>()
      for (const key of own.keys) {
        const journey = current(idByKey.get(key))
        if (journey) found.add(journey)
      }
      if (isLoginPage(hop)) openedPages.push(...[...found].map(({ id }) => ({ id, environment })))
      if (isPoll(hop) && found.size === 0) {
        const opened = openedPages.findLast((each) => each.environment === environment)
        openedPages = openedPages.filter((each) => each !== opened)
        const page = current(opened?.id)
        if (page) found.add(page)
      }
      // Two environments have a wallet each, for example.
      const part = `${environment} ${hop.from}`
      const previous = current(lastOfPart.get(part))
      if (previous && joinsNearby(hop, own, previous, found)) found.add(previous)
      const [first, ...others] = [...found].sort((one, other) => one.id - other.id)
      const journey = first ?? startJourney(hop)
      if (first === undefined) journeys.set(journey.id, journey)
      for (const other of others) {
        absorb(journey, other)
        journeys.delete(other.id)
        successor.set(other.id, journey.id)
      }
      learn(journey, hop, content)
      nameHolder(journey, content)
      if (!own.isLookup) journey.isLoose = false
      for (const key of own.keys) idByKey.set(key, journey.id)
      lastOfPart.set(part, journey.id)
      forgetOldest()
      return { journey: publish(journey), absorbed: others.map(({ id }) => id) }
    },
    list: () => [...journeys.values()].sort((one, other) => one.id - other.id).map(publish),
    find(id) {
      const journey = current(id)
      return journey && publish(journey)
    },
  }
}

const publish = ({ isLoose: _, lastAt: __, ...journey }: Draft): Journey => ({ ...journey })

const startJourney = ({ id, at, method, url, to, kind }: Hop): Draft => ({
  id,
  at,
  lastAt: at,
  count: 0,
  isLoose: true,
  kind: 'request',
  outcome: 'open',
  request: kind === 'chain' ? `${to} ${url}` : `${to} ${method} ${url.replace(/\?.*$/s, '')}`,
})

const rankOf = (kind: JourneyKind) => kinds.indexOf(kind)

function absorb(journey: Draft, other: Draft): void {
  const { id, at, isLoose, request, count, lastAt, ...facts } = { ...other, ...defined(journey) }
  const kind = rankOf(other.kind) < rankOf(journey.kind) ? other.kind : journey.kind
  Object.assign(journey, facts, {
    kind,
    count: journey.count + other.count,
    lastAt: Math.max(journey.lastAt, other.lastAt),
    outcome: [journey.outcome, other.outcome].find((each) => each !== 'open') ?? 'open',
  })
}

const defined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Partial<T>

/** The messages of a hop as text, tokens decoded. */
function readContent({ url, requestBody, responseBody, responseHeaders }: Hop): string {
  const bodies = [requestBody, responseBody].map((body) => JSON.stringify(body) ?? '')
  const decoded: string[] = []
  const expand = (text: string, depth: number) =>
    replaceTokens(text, (token) => {
      const payload = depth < 3 ? decodeToken(token)?.payload : undefined
      if (payload === undefined) return undefined
      const inner = JSON.stringify(payload)
      decoded.push(inner)
      expand(inner, depth + 1)
      return undefined
    })
  for (const body of bodies) expand(body, 0)
  return withoutEscapes([url, responseHeaders?.location ?? '', ...bodies, ...decoded].join('\n'))
}

/** Links in messages contain values in percent-encoding, twice in an offer within a link. */
const withoutEscapes = (text: string): string =>
  text.replace(/%(?:25)?(22|3[AD]|2[6F]|3F|7[BD])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

// Only from the start of a run of its characters: from every position it would take quadratic time.
const named =
  /(?<![\w-])(pre-authorized_code|preauth_code|code|state|nonce|c_nonce|session|session_id|response_code|acceptance_token|ticket|session_code|credential_id|jti)\\*"?\s*[=:]\s*\\*"?(?:urn:uuid:)?([\w-]{8,})/g

const inPath = /\/(?:interaction|authorize|requests|responses|sessions|offers|login)\/([\w-]{16,})/g

/** Masked values keep their first eight characters. */
const keyOf = (value: string) => `value ${value.slice(0, 8)}`

/** The scenario and its run in `suite/name/algorithm@run:step`; undefined for other tags. */
function scenarioOf({ scenarioId = '' }: Hop) {
  const [, run, name] = /^((.+)@[^:]+):\d+$/.exec(scenarioId) ?? []
  return run === undefined || name === undefined ? undefined : { run, name }
}

/** Random values have digits or capitals among their first characters; words do not. */
const isRandom = (value: string) => /[\dA-Z]/.test(value.slice(0, 8)) && !value.startsWith('eyJ')

/** A credential is in one issuance and in many presentations: it names only its issuance. */
const isIssuance = ({ url }: Hop) =>
  /^\/(credential|deferred_credential|issuance\/claims|issuance\/notifications)$/.test(url)

const isOfCredential = (name: string) => name === 'credential_id' || name === 'jti'

/** What joins a hop with further hops, and whether it is only a lookup. */
function keysOf(hop: Hop, content: string): { keys: readonly string[]; isLookup: boolean } {
  const { scenarioId, requestId } = hop
  const keys: string[] = []
  const scenario = scenarioOf(hop)
  // The wallets and the tour of the console mark their requests too.
  if (scenarioId !== undefined) keys.push(`tag ${scenario?.run ?? scenarioId}`)
  if (requestId !== undefined) keys.push(`request ${requestId}`)
  if (scenario !== undefined) return { keys, isLookup: false }
  if (isLookup(hop)) return { keys, isLookup: true }
  for (const [, name = '', value = ''] of content.matchAll(named)) {
    if (isRandom(value) && (!isOfCredential(name) || isIssuance(hop))) keys.push(keyOf(value))
  }
  for (const [, value = ''] of content.matchAll(inPath)) {
    if (isRandom(value)) keys.push(keyOf(value))
  }
  return { keys: [...new Set(keys)], isLookup: false }
}

const isLoginPage = ({ to, url, status }: Hop) =>
  to === 'idp' && status === 200 && /^\/accounts\/interaction\/[\w-]+$/.test(url)

/** The session that a login page polls is only in its HTML, which is not recorded. */
const isPoll = ({ to, url }: Hop) => to === 'idp' && url.startsWith('/idp/api/auth/requests')

const isRegistry = (part: string) => part === 'did-registry' || part === 'tir'

const isLookup = ({ to, method, url }: Hop): boolean =>
  isRegistry(to) ||
  to === 'chain' ||
  to === 'api-keys' ||
  (method === 'GET' && /^\/(\.well-known|credentials\/status|schemas|jwks)/.test(url))

/** A wallet reads the metadata of an issuer first; what it did before is another journey. */
const isBeginning = ({ url }: Hop) => url.startsWith('/.well-known/openid-credential-issuer')

/** Parts that do one thing at a time; other clients are different programs. */
const singleMinded = ['wallet', 'operator', 'onboarding']

/**
 * Whether a hop belongs to what its part did just before. `found` are the journeys that it belongs
 * to by its keys: for a lookup, at most the requests that it caused.
 */
function joinsNearby(
  hop: Hop,
  own: Pick<ReturnType<typeof keysOf>, 'isLookup'>,
  previous: Draft,
  found: ReadonlySet<Draft>,
): boolean {
  if (hop.scenarioId !== undefined || Math.abs(hop.at - previous.lastAt) > nearby) return false
  if (!own.isLookup) return previous.isLoose && singleMinded.includes(hop.from)
  if (isBeginning(hop) || [...found].some(({ isLoose }) => !isLoose)) return false
  return singleMinded.includes(hop.from) || (previous.isLoose && isRegistry(hop.to))
}

/** Takes from a hop what it says about its journey. */
function learn(journey: Draft, hop: Hop, content: string): void {
  const kind = kindOf(hop)
  const given = /"firstName":"((?:[^"\\]|\\.){1,80})"/.exec(content)?.[1]
  const family = /"lastName":"((?:[^"\\]|\\.){1,80})"/.exec(content)?.[1]
  const organization = /"organization":"((?:[^"\\]|\\.){1,120})"/.exec(content)?.[1]
  const credentialType = /"(\w{1,60}LearCredential)"/.exec(content)?.[1]
  const client = /[?&]client_id=([\w.-]{1,80})/.exec(hop.url)?.[1]
  const scenario = scenarioOf(hop)?.name
  const facts = {
    person:
      journey.person ?? (given && family && kind !== 'records' ? `${given} ${family}` : undefined),
    organization: journey.organization ?? organization,
    credentialType: journey.credentialType ?? credentialType,
    client: journey.client ?? client,
    scenario: journey.scenario ?? scenario,
  }
  Object.assign(journey, defined(facts), {
    count: journey.count + 1,
    lastAt: Math.max(journey.lastAt, hop.at),
    kind: rankOf(kind) < rankOf(journey.kind) ? kind : journey.kind,
    outcome: outcomeAfter(journey.outcome, hop, content),
  })
}

function kindOf(hop: Hop): JourneyKind {
  const { from, to, method, url } = hop
  if (scenarioOf(hop) !== undefined) return 'scenario'
  if (to === 'issuer' && url.startsWith('/issuance/credential/revoke')) return 'revocation'
  if (
    to === 'connector' ||
    /^\/(issuance\/(employee|representative|claims)|credential-offer)/.test(url)
  )
    return 'issuance'
  if (/^\/(accounts\/|idp\/api\/|sessions|requests\/|responses\/|login\/|broker)/.test(url)) {
    return 'login'
  }
  if (url.startsWith('/realms/') && url.includes('/protocol/openid-connect/auth')) return 'login'
  if (from === 'operator') return 'seeding'
  if (isRegistry(to) && method === 'POST') return 'registry-change'
  return to === 'issuer' && url.startsWith('/issuance/') ? 'records' : 'request'
}

function outcomeAfter(
  before: JourneyFacts['outcome'],
  { rules = [], status, to, url, method }: Hop,
  content: string,
): JourneyFacts['outcome'] {
  if (before === 'rejected' || rules.some(({ passed }) => !passed)) return 'rejected'
  const isResult = url.startsWith('/idp/api/auth/results')
  if (isResult) return /"status":"SUCCESS"/.test(content) ? 'done' : 'rejected'
  if (to === 'connector' && method === 'POST') {
    if (status >= 400) return 'rejected'
    if (/"credential":"eyJ/.test(content)) return 'done'
  }
  if (url.startsWith('/issuance/credential/revoke')) return status < 400 ? 'done' : 'rejected'
  return before
}
