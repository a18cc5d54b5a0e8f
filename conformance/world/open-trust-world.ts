import { decodePercent } from '#core/text/decode-percent.ts'
import { createTrustWorld, type TrustWorld } from './create-trust-world.ts'
import type { KitServer, ServedAnswer, ServedRequest } from './start-kit-server.ts'

/** The parts of a trust world, by address. */
export type TrustPart = 'did-registry' | 'tir' | 'status-list'

export interface RegistryAnswer {
  readonly part: TrustPart
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** The media types of the DID registry, the recommended one first. */
export const documentTypes = ['application/did+ld+json', 'application/did+json'] as const

/** The type in which the DID registry answers. Undefined if Accept excludes both: it returns 406. */
export function chooseDocumentType(accept?: string): string | undefined {
  const ranges = (accept || '*/*').split(',').map((range) => range.split(';')[0]?.trim())
  const isOpen = ranges.includes('*/*') || ranges.includes('application/*')
  return (
    documentTypes.find((type) => ranges.some((range) => range?.toLowerCase() === type)) ??
    (isOpen ? documentTypes[0] : undefined)
  )
}

const notFound = '{"error":"not_found"}'

const malformed = {
  status: 400,
  contentType: 'application/json',
  body: JSON.stringify({
    error: 'validation_error',
    error_description: 'The percent-encoding of the address is malformed.',
  }),
}

const notAcceptable = {
  status: 406,
  contentType: 'application/json',
  body: JSON.stringify({
    error: 'not_acceptable',
    error_description: `Accept ${documentTypes.join(' or ')}.`,
  }),
}

/**
 * The answers of the registries of a trust world to a GET: the DID registry at `/api/v1`, the TIR
 * below `/trusted-issuers-registry`, status lists at any other path, in the wire formats of
 * the profile and without any code of the services.
 */
export function answerAsRegistries(world: TrustWorld, url: URL, accept?: string): RegistryAnswer {
  const path = url.pathname
  const identifier = /^\/api\/v1\/identifiers\/(.+)$/.exec(path)?.[1]
  if (identifier !== undefined) {
    const did = decodePercent(identifier)
    if (did === undefined) return { part: 'did-registry', ...malformed }
    const contentType = chooseDocumentType(accept)
    if (contentType === undefined) return { part: 'did-registry', ...notAcceptable }
    const validAt = url.searchParams.get('valid-at')
    const at = Number(validAt ?? Math.floor(Date.now() / 1000))
    const document = world.documentAt(did, at)
    return document
      ? { part: 'did-registry', status: 200, contentType, body: JSON.stringify(document) }
      : { part: 'did-registry', status: 404, contentType: 'application/json', body: notFound }
  }
  const [, issuer, attributeId] =
    /^\/trusted-issuers-registry\/v1\/issuers\/([^/]+)\/attributes\/([^/]+)$/.exec(path) ?? []
  if (issuer !== undefined) {
    const did = decodePercent(issuer)
    if (did === undefined) return { part: 'tir', ...malformed }
    const found = world.attributes.get(`${did} ${attributeId}`)
    return {
      part: 'tir',
      status: found ? 200 : 404,
      contentType: 'application/json; charset=utf-8',
      body: found ? JSON.stringify(found) : notFound,
    }
  }
  const { credentialIssuerUrls } = world.policy
  const base = new URL(credentialIssuerUrls[0] ?? url).origin
  const list = world.statusLists.get(`${base}${path}`)
  return {
    part: 'status-list',
    status: list ? 200 : 404,
    contentType: list ? 'application/vc+jwt' : 'application/json',
    body: list ?? notFound,
  }
}

/** What an unhealthy registry does. */
export const misbehaviours = {
  down: 'closes connections',
  'server-error': 'returns 500',
  'wrong-status': 'returns the right body with status 500',
  'not-json': 'returns an HTML page',
  overloaded: 'returns 429',
  silent: 'does not respond',
} as const

export type Misbehaviour = keyof typeof misbehaviours

const misbehave: Readonly<Record<Misbehaviour, ServedAnswer>> = {
  down: 'drop',
  silent: 'hang',
  'server-error': { status: 500, body: '{"error":"internal_error"}' },
  'wrong-status': { status: 500 },
  'not-json': { status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' },
  overloaded: { status: 429, headers: { 'retry-after': '1' }, body: '{"error":"slow_down"}' },
}

/** Returns the JSON that a registry answers in place of the right one. */
export type ChangeAnswer = (json: Readonly<Record<string, unknown>>) => object

/** The kit's trust world with the addresses of its registries. */
export interface OpenTrustWorld {
  readonly world: TrustWorld
  /** The configuration that a system under test needs. */
  readonly addresses: TrustWorldAddresses
  /** Paths of the requests to its registries in this check. */
  readonly asked: readonly string[]
  /** The requests themselves. */
  readonly received: readonly ServedRequest[]
  /**
   * Makes a registry misbehave, or give one answer, by default with the right body, until the next call without a behaviour: at all
   * requests, or at those whose path, decoded and with its query, contains or matches `about`.
   */
  misbehave(
    part: TrustPart,
    behaviour?: Misbehaviour | Exclude<ServedAnswer, string>,
    about?: string | RegExp,
  ): void
  /** Changes the JSON in the answers of a registry until the next call without a change. */
  rewrite(part: TrustPart, change?: ChangeAnswer): void
  /** Cleans up after a check: misbehaviour, and the list of requests. */
  settle(): void
}

export interface TrustWorldAddresses {
  readonly environment: 'pre'
  readonly didRegistryBaseUrl: string
  readonly tirBaseUrl: string
  /** Root of trust that the system must trust. */
  readonly rootDid: string
  /** Status lists of the world's issuer are below it. */
  readonly credentialIssuerUrl: string
}

/**
 * Serves a trust world on the kit's server. Its DIDs and keys are derived from the seed, so that a
 * system has to be configured only once.
 */
export function openTrustWorld(
  server: KitServer,
  { seed, now }: { readonly seed: string; readonly now: number },
): OpenTrustWorld {
  const { origin } = server
  const world = createTrustWorld({
    now,
    seed,
    tirBaseUrl: `${origin}/trusted-issuers-registry`,
    credentialIssuerUrl: origin,
  })
  const behaviours = new Map<TrustPart, { answer: ServedAnswer; about: string | RegExp }>()
  const changes = new Map<TrustPart, ChangeAnswer>()
  const asked: string[] = []
  const received: ServedRequest[] = []
  server.mount('', 'registries', (request) => {
    const { path, query, headers } = request
    received.push(request)
    // Not relative to the origin: a path such as //host would be that of another one.
    const url = new URL(`${origin}${path}?${query}`)
    asked.push(path)
    const { part, status, contentType, body } = answerAsRegistries(world, url, headers.accept)
    const { answer, about = '' } = behaviours.get(part) ?? {}
    const decoded = `${decodePercent(path) ?? path}${url.search}`
    const isMeant = typeof about === 'string' ? decoded.includes(about) : about.test(decoded)
    if (answer && isMeant) {
      return typeof answer === 'string' ? answer : { contentType, body, ...answer }
    }
    const change = status === 200 ? changes.get(part) : undefined
    return {
      status,
      contentType,
      body: change ? JSON.stringify(change(JSON.parse(body))) : body,
    }
  })
  return {
    world,
    addresses: {
      environment: 'pre',
      didRegistryBaseUrl: origin,
      tirBaseUrl: world.policy.tirBaseUrl,
      rootDid: world.root.did,
      credentialIssuerUrl: origin,
    },
    asked,
    received,
    misbehave(part, behaviour, about = '') {
      if (behaviour === undefined) behaviours.delete(part)
      else {
        const answer = typeof behaviour === 'string' ? misbehave[behaviour] : behaviour
        behaviours.set(part, { answer, about })
      }
    },
    rewrite(part, change) {
      if (change === undefined) changes.delete(part)
      else changes.set(part, change)
    },
    settle() {
      behaviours.clear()
      changes.clear()
      asked.length = 0
      received.length = 0
    },
  }
}

/** The addresses of the kit's registries as reports show them, with those of the target. */
export function describeAddresses({
  environment,
  didRegistryBaseUrl,
  tirBaseUrl,
  rootDid,
  credentialIssuerUrl,
}: TrustWorldAddresses): Readonly<Record<string, string>> {
  return {
    environment,
    'DID registry of the kit': didRegistryBaseUrl,
    'TIR of the kit': tirBaseUrl,
    'root of trust of the kit': rootDid,
    'status lists of the kit': credentialIssuerUrl,
  }
}
