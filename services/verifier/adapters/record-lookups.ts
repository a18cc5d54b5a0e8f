import type { Lookup } from '#core/verification/rules.ts'
import type { Clock } from '#kit/runtime.ts'
import type { Lookups } from './create-lookups.ts'

/** One question that a verification asked, for its explanation. */
export interface RecordedLookup {
  readonly service: 'did-registry' | 'tir' | 'status-list'
  readonly what: string
  readonly found: boolean
  /** There was no answer, or none that is to be understood. */
  readonly unavailable: boolean
  readonly reason?: string
  readonly milliseconds: number
}

/** The same lookups, with everything that is asked through them written down. */
export function recordLookups(
  { resolveDidDocument, readAttribute, fetchStatusList }: Lookups,
  clock: Clock,
): { readonly lookups: Lookups; readonly recorded: readonly RecordedLookup[] } {
  const recorded: RecordedLookup[] = []
  const record = async <Value>(
    service: RecordedLookup['service'],
    what: string,
    asked: Promise<Lookup<Value>>,
  ): Promise<Lookup<Value>> => {
    const began = clock.milliseconds()
    const lookup = await asked
    const milliseconds = clock.milliseconds() - began
    recorded.push(
      lookup.ok
        ? { service, what, found: true, unavailable: false, milliseconds }
        : {
            service,
            what,
            found: false,
            unavailable: lookup.kind === 'unavailable',
            reason: lookup.reason,
            milliseconds,
          },
    )
    return lookup
  }
  return {
    recorded,
    lookups: {
      resolveDidDocument: (did, validAt) =>
        record(
          'did-registry',
          validAt === undefined ? did : `${did} valid-at ${validAt}`,
          resolveDidDocument(did, validAt),
        ),
      readAttribute: (did, attributeId) =>
        record('tir', `${did} ${attributeId}`, readAttribute(did, attributeId)),
      fetchStatusList: (url) => record('status-list', url, fetchStatusList(url)),
    },
  }
}
