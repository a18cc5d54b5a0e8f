import { z } from 'zod'
import type { Power } from '#core/power/power.ts'
import type { Language } from '#kit/language.ts'
import type { Runtime } from '#kit/runtime.ts'
import { digest } from '#kit/secrets.ts'
import type { Hop } from '#kit/traces.ts'
import type { TraceBuffer } from '#testbed/process/traces.ts'
import type { SignedIn, Visitor } from '../sign-in/create-sign-ins.ts'
import { createIssuerApi, type EmployeeRequest, type IssuedRecord } from './issuer-api.ts'

/** The person that a credential was ordered for. */
export interface Holder {
  readonly name: string
  readonly email: string
}

/** The last order of a user of the portal. */
export type Order =
  | {
      readonly kind: 'own'
      readonly qrPng: Uint8Array
      /** The offer in the code; undefined if it could not be read. */
      readonly link: string | undefined
      readonly credentialId: string | undefined
    }
  | {
      readonly kind: 'employee'
      /** Where the issuer has sent the offer. */
      readonly email: string
      readonly credentialId: string | undefined
    }

/** A user of the portal, logged in at the token issuer. */
export interface PortalUser {
  readonly visitor: Visitor
  readonly signedIn: SignedIn
  /** Of advice in errors. */
  readonly language: Language
}

/** What the portal does for its users, through the issuer's API. */
export interface Portal {
  orderOwn(user: PortalUser, power: readonly Power[]): Promise<void>
  orderForEmployee(user: PortalUser, request: EmployeeRequest): Promise<void>
  list(user: PortalUser): Promise<readonly IssuedRecord[]>
  revoke(user: PortalUser, credentialId: string): Promise<void>
  /** The last order of this user. */
  lastOrder(user: PortalUser): Order | undefined
  holderOf(credentialId: string): Holder | undefined
}

const mostOrders = 200

/** @param runtime records the calls of the portal */
export function createPortal(runtime: Runtime, traces: TraceBuffer): Portal {
  const holders = createHolders(traces)
  const orders = new Map<string, Order>()
  const apiOf = ({ visitor, signedIn, language }: PortalUser) =>
    createIssuerApi({
      runtime,
      running: visitor.running,
      accessToken: signedIn.accessToken,
      language,
    })
  const list = (user: PortalUser) => apiOf(user).list(organizationOf(user))

  /** Orders, and finds the record of the order: the issuer does not return its id. */
  async function order<Answer>(
    user: PortalUser,
    holder: Holder,
    send: () => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly credentialId: string | undefined }> {
    const before = new Set((await list(user)).map((record) => record.credential_id))
    const answer = await send()
    const added = (await list(user)).filter((record) => !before.has(record.credential_id))
    // Of several new records, it is unknown which one belongs to the order.
    const [record] = added.length === 1 ? added : []
    if (record !== undefined) holders.remember(record.credential_id, holder)
    return { answer, credentialId: record?.credential_id }
  }

  const keep = (user: PortalUser, last: Order) => {
    const key = keyOf(user)
    orders.delete(key)
    orders.set(key, last)
    const [oldest] = orders.keys()
    if (orders.size > mostOrders && oldest !== undefined) orders.delete(oldest)
  }

  return {
    async orderOwn(user, power) {
      const { name, email } = user.signedIn.claims
      const { answer: qrPng, credentialId } = await order(
        user,
        { name: String(name ?? ''), email: String(email ?? '') },
        () => apiOf(user).orderOwn(power),
      )
      const { readQrPng } = await import('#wallet-emulator/qr/read-qr-code.ts')
      const read = readQrPng(qrPng)
      keep(user, { kind: 'own', qrPng, link: read.ok ? read.text : undefined, credentialId })
    },
    async orderForEmployee(user, request) {
      const { firstName = '', lastName = '', email } = request
      const { credentialId } = await order(
        user,
        { name: `${firstName} ${lastName}`.trim(), email },
        () => apiOf(user).orderForEmployee(request),
      )
      keep(user, { kind: 'employee', email, credentialId })
    },
    list,
    revoke: (user, credentialId) => apiOf(user).revoke(credentialId),
    lastOrder: (user) => orders.get(keyOf(user)),
    holderOf: holders.find,
  }
}

export const organizationOf = ({ signedIn }: PortalUser): string =>
  String(signedIn.claims.organization_identifier ?? '')

/** The orders of a login: those of another user in the same browser are different. */
const keyOf = ({ visitor, signedIn }: PortalUser): string =>
  `${digest(visitor.session)} ${visitor.running.environment} ${digest(signedIn.idToken)}`

/**
 * Who holds which credential. The issuer's list has no names: the portal knows those that it
 * ordered, and the recorded exchanges contain those that a wallet has collected.
 */
interface Holders {
  remember(credentialId: string, holder: Holder): void
  find(credentialId: string): Holder | undefined
}

const mostHolders = 10_000

function createHolders(traces: Pick<TraceBuffer, 'since'>): Holders {
  const byCredential = new Map<string, Holder>()
  let lastRead = 0
  const remember = (credentialId: string, holder: Holder) => {
    byCredential.set(credentialId, holder)
    for (const oldest of byCredential.keys()) {
      if (byCredential.size <= mostHolders) return
      byCredential.delete(oldest)
    }
  }
  return {
    remember,
    find(credentialId) {
      for (const hop of traces.since(lastRead)) {
        lastRead = hop.id
        const collected = readClaims(hop)
        if (collected !== undefined) remember(...collected)
      }
      return byCredential.get(credentialId)
    },
  }
}

const zClaims = z.object({
  credential_id: z.string(),
  claims: z.object({
    mandate: z.object({
      mandatee: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
    }),
  }),
})

/** The answer to the connector's question for the claims (profile/issuer, Calls from the connector). */
function readClaims({ to, url, responseBody }: Hop): [string, Holder] | undefined {
  if (to !== 'issuer' || !url.endsWith('/issuance/claims')) return undefined
  const answer = zClaims.safeParse(responseBody).data
  if (answer === undefined) return undefined
  const { firstName, lastName, email } = answer.claims.mandate.mandatee
  return [answer.credential_id, { name: `${firstName} ${lastName}`, email }]
}
