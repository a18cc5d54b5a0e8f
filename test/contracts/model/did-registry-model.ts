import { relationshipNames, type VerificationRelationship } from '#core/did/did-document.ts'
import type { DidKey } from '#test/support/create-did-key.ts'

/** From its first to its last second, both included. */
export interface Span {
  readonly notBefore: number
  readonly notAfter: number
}

/** A use of a method. */
interface Window extends Span {
  readonly use: VerificationRelationship
}

export interface Method {
  readonly vMethodId: string
  /** A raw key by its holder, or a JWK as its hex. */
  readonly key: DidKey | string
  readonly windows: readonly Window[]
  /** When it is registered: documents list it, regardless of its uses. */
  readonly registered: readonly Span[]
  readonly isRevoked: boolean
}

/** A value, and the second since which it holds. */
export interface Recorded<Value> {
  readonly since: number
  readonly value: Value
}

export interface Registration {
  readonly registeredAt: number
  /** The methods that documents added, or that these were rolled to. */
  readonly documentMethods: readonly string[]
  readonly methods: readonly Method[]
  readonly controllers: readonly Recorded<readonly string[]>[]
  readonly baseDocuments: readonly Recorded<string>[]
  readonly alsoKnownAs: readonly Recorded<string>[]
}

/**
 * The DID registry as plain data: what say, with neither a chain nor storage in mind.
 * Every change makes a new one, so that a refused operation can't leave a trace.
 */
export interface Registry {
  readonly operator: string
  readonly node: string
  readonly dids: ReadonlyMap<string, Registration>
  /** The DID that each address registered first. */
  readonly accounts: ReadonlyMap<string, string>
}

/** What a resolution gives: public keys by their hex, relationships by their names. */
export interface ModelDocument {
  readonly baseDocument: string
  readonly alsoKnownAs: string
  readonly controllers: readonly string[]
  readonly methods: readonly {
    readonly vMethodId: string
    readonly publicKey: string
    readonly uses: readonly VerificationRelationship[]
  }[]
}

const isWithin = ({ notBefore, notAfter }: Span, time: number): boolean =>
  notBefore <= time && time <= notAfter

const usesAt = (method: Method, time: number): VerificationRelationship[] =>
  relationshipNames.filter((use) =>
    method.windows.some((window) => window.use === use && isWithin(window, time)),
  )

/** The last value recorded at `time` or before. */
export const valueAt = <Value>(records: readonly Recorded<Value>[], time: number) =>
  records.findLast(({ since }) => since <= time)?.value

/** The addresses of the raw keys that control a DID through its controllers of `time`. */
export function controlAddresses(registry: Registry, did: string, time: number): string[] {
  const controllers = valueAt(registry.dids.get(did)?.controllers ?? [], time) ?? []
  const methods = controllers.flatMap((controller) => registry.dids.get(controller)?.methods ?? [])
  const addresses = methods
    .filter((method) => usesAt(method, time).includes('capabilityInvocation'))
    .flatMap(({ key }) => (typeof key === 'string' ? [] : [key.address]))
  return [...new Set(addresses)].sort()
}

/** The document of a DID at an instant, by what is known now; undefined before its registration. */
export function resolveInModel(
  registry: Registry,
  did: string,
  time: number,
): ModelDocument | undefined {
  const registration = registry.dids.get(did)
  if (registration === undefined || time < registration.registeredAt) return undefined
  const methods = registration.methods
    .filter(({ registered, windows }) =>
      [...registered, ...windows].some((span) => isWithin(span, time)),
    )
    .map((method) => ({
      vMethodId: method.vMethodId,
      publicKey: typeof method.key === 'string' ? method.key : method.key.coordinates,
      uses: usesAt(method, time),
    }))
  return {
    baseDocument: valueAt(registration.baseDocuments, time) ?? '',
    alsoKnownAs: valueAt(registration.alsoKnownAs, time) ?? '',
    controllers: controlAddresses(registry, did, time),
    methods,
  }
}
