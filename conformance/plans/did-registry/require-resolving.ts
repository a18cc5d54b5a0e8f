import { endCheck, inconclusive } from '../../kit/finding.ts'
import { jsonAsPremise } from '../../kit/json-as-premise.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'

/**
 * Goes on only where a registered DID can be resolved: one that resolves nothing has
 * refused nothing in particular.
 */
export async function requireResolving(registry: DidRegistryUnderTest): Promise<void> {
  const { get, canRegister, register } = registry
  const what = 'The list of DIDs (see D54)'
  const { items } = await jsonAsPremise(what, get('identifiers'))
  const listed = [items].flat().map(didOf).find(Boolean)
  const did = listed ?? (canRegister ? (await register()).did : undefined)
  if (did === undefined) endCheck(inconclusive('The registry lists no DID that could be resolved.'))
  const resolved = get(`identifiers/${encodeURIComponent(did)}`)
  await jsonAsPremise(`Resolving ${did}, which is registered,`, resolved)
}

/** The documents do not show whether an item is a DID or has one. */
function didOf(item: unknown): string | undefined {
  const did = (item as { did?: unknown } | null | undefined)?.did ?? item
  return typeof did === 'string' ? did : undefined
}
