import { z } from 'zod'
import type { Hop } from '#kit/traces.ts'

/** What a sentence needs from a credential. */
export interface Mandate {
  readonly id: string | undefined
  readonly type: string
  readonly person: string
  readonly organization: string
}

/** A change of the registries that a transaction makes. */
export type RegistryChange =
  | { readonly kind: 'registered'; readonly did: string }
  | {
      readonly kind: 'accreditation'
      readonly did: string
      readonly issuerType: string
      readonly taoDid: string
    }

/** What hops say about other hops: who logs in where, whose credential an id names. */
export interface ActivityIndex {
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
export const read = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> | undefined => schema.safeParse(value).data

/** A LEARCredential's names; undefined if it is not one. */
export function readMandate(credential: unknown): Mandate | undefined {
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
export const readIssued = (answer: unknown): Mandate | undefined =>
  readMandate(claimsOf(read(zIssued, answer)?.credential)?.vc)

const lastSegment = (url: string) => url.split('?')[0]?.split('/').at(-1) ?? ''

export function createActivityIndex(hops: readonly Hop[]): ActivityIndex {
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
