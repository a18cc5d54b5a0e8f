import { relationshipNames, type VerificationRelationship } from '#core/did/did-document.ts'
import {
  type Method,
  type Registration,
  type Registry,
  type Span,
  valueAt,
} from './did-registry-model.ts'
import { usesFrom } from './find-broken-rules.ts'
import type { Operation, OperationOf } from './operations.ts'

type Document = OperationOf<'insertFirstDidDocument' | 'insertDidDocument'>

const usesOfDocument = ['authentication', 'capabilityInvocation'] as const

/** The registry after an operation that breaks no rule, at `now`. */
export function applyOperation(registry: Registry, op: Operation, now: number): Registry {
  if (op.name === 'insertFirstDidDocument') return register(registry, op, now)
  const before = registry.dids.get(op.did)
  if (before === undefined) throw new Error(`${op.did} is not registered`)
  const after = { ...before, ...changeOf(registry, before, op, now) }
  return { ...registry, dids: new Map(registry.dids).set(op.did, after) }
}

function register(registry: Registry, op: Document, now: number): Registry {
  const registration: Registration = {
    registeredAt: now,
    documentMethods: [op.vMethodId],
    methods: [documentMethodOf(op, undefined, now)],
    controllers: [{ since: now, value: [op.did] }],
    baseDocuments: [{ since: now, value: op.text }],
    alsoKnownAs: [{ since: now, value: op.text }],
  }
  const accounts = new Map(registry.accounts)
  if (!accounts.has(op.key.address)) accounts.set(op.key.address, op.did)
  return { ...registry, dids: new Map(registry.dids).set(op.did, registration), accounts }
}

/** What an operation changes of a registered DID. */
function changeOf(
  registry: Registry,
  did: Registration,
  op: Operation,
  now: number,
): Partial<Registration> {
  const change = (vMethodId: string, next: (method: Method) => Method) => ({
    methods: did.methods.map((method) => (method.vMethodId === vMethodId ? next(method) : method)),
  })
  const controllers = valueAt(did.controllers, now) ?? []
  const withControllers = (value: readonly string[]) => ({
    controllers: [...did.controllers, { since: now, value }],
  })
  switch (op.name) {
    case 'insertDidDocument':
      return replaceDocument(did, op, now)
    case 'updateBaseDocument':
      return { baseDocuments: [...did.baseDocuments, { since: now, value: op.text }] }
    case 'updateAlsoKnownAs':
      return { alsoKnownAs: [...did.alsoKnownAs, { since: now, value: op.text }] }
    case 'addController':
      return withControllers([...controllers, op.controller])
    case 'revokeController':
      return withControllers(controllers.filter((controller) => controller !== op.controller))
    case 'addControllerByAccount':
      return withControllers([...controllers, registry.accounts.get(op.account) ?? ''])
    case 'revokeControllerByAccount': {
      const revoked = registry.accounts.get(op.account)
      return withControllers(controllers.filter((controller) => controller !== revoked))
    }
    case 'addVerificationMethod':
      return { methods: [...did.methods, freshMethod(op, now, Number.POSITIVE_INFINITY)] }
    case 'addVerificationRelationship':
      return change(op.vMethodId, (method) => withWindows(method, [op.use], op))
    case 'revokeVerificationMethod':
      return change(op.vMethodId, (method) => ({ ...end(method, op.notAfter), isRevoked: true }))
    case 'expireVerificationMethod':
      return change(op.vMethodId, (method) => end(method, op.notAfter))
    case 'rollVerificationMethod':
      return roll(did, op, now)
    default:
      throw new Error(op.name)
  }
}

/**
 * The new key follows at its notBefore, or now if that is later. The keys of earlier documents end
 * in the second before; the new key keeps its uses in addition to those of a document.
 */
function replaceDocument(did: Registration, op: Document, now: number): Partial<Registration> {
  const lastSecond = Math.max(op.notBefore, now) - 1
  const old = did.methods.find(({ vMethodId }) => vMethodId === op.vMethodId)
  const others = did.methods.map((method) =>
    did.documentMethods.includes(method.vMethodId) ? end(method, lastSecond) : method,
  )
  const next = documentMethodOf(op, old && end(old, lastSecond, usesOfDocument), now)
  return {
    documentMethods: [...(op.notBefore > now ? did.documentMethods : []), op.vMethodId],
    methods:
      old === undefined
        ? [...others, next]
        : others.map((method) => (method.vMethodId === op.vMethodId ? next : method)),
    baseDocuments: [...did.baseDocuments, { since: now, value: op.text }],
  }
}

/** The new key takes over what of the old one is not over, and the old one ends with the overlap. */
function roll(
  did: Registration,
  op: OperationOf<'rollVerificationMethod'>,
  now: number,
): Partial<Registration> {
  const old = did.methods.find(({ vMethodId }) => vMethodId === op.oldVMethodId)
  if (old === undefined) throw new Error(`${op.oldVMethodId} is not there`)
  const uses = usesFrom(old, now)
  const fresh = freshMethod(op, now, op.notAfter)
  const isOfDocument =
    uses.includes('capabilityInvocation') && did.documentMethods.includes(op.oldVMethodId)
  return {
    documentMethods: [...did.documentMethods, ...(isOfDocument ? [op.vMethodId] : [])],
    methods: [
      ...did.methods.map((method) =>
        method === old ? end(old, op.notBefore + op.duration) : method,
      ),
      withWindows(fresh, uses, op),
    ],
  }
}

function documentMethodOf(op: Document, old: Method | undefined, now: number): Method {
  const fresh = freshMethod(op, now, op.notAfter)
  const registered = [...(old?.registered ?? []), ...fresh.registered]
  return withWindows({ ...(old ?? fresh), registered }, usesOfDocument, op)
}

const freshMethod = (
  { vMethodId, key }: Pick<Method, 'vMethodId' | 'key'>,
  notBefore: number,
  notAfter: number,
): Method => ({
  vMethodId,
  key,
  windows: [],
  registered: [{ notBefore, notAfter }],
  isRevoked: false,
})

const withWindows = (
  method: Method,
  uses: readonly VerificationRelationship[],
  { notBefore, notAfter }: { notBefore: number; notAfter: number },
): Method => ({
  ...method,
  windows: [...method.windows, ...uses.map((use) => ({ use, notBefore, notAfter }))],
})

/** Ends the registration and the windows of some uses at `notAfter`, save what ends earlier. */
const end = (
  method: Method,
  notAfter: number,
  uses: readonly VerificationRelationship[] = relationshipNames,
): Method => ({
  ...method,
  registered: method.registered.map((span) => endSpan(span, notAfter)),
  windows: method.windows.map((window) =>
    uses.includes(window.use) ? endSpan(window, notAfter) : window,
  ),
})

const endSpan = <Ended extends Span>(span: Ended, notAfter: number): Ended => ({
  ...span,
  notAfter: Math.min(span.notAfter, notAfter),
})
