import { type DialectKind, type DialectMember, lintDialect } from '#core/dialect/lint-dialect.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import type { DialectSummary } from '#scenarios/harness/z-results.ts'
import { findMessages } from './find-messages.ts'

/**
 * Which revision each kind of message follows that a system under test sent in a run, and where it
 * departs from the documents: once for each kind, whatever the number of messages.
 */
export function summarizeDialect(hops: readonly Hop[], sender: string): DialectSummary[] {
  const kinds = new Map<DialectKind, Summed>()
  for (const { kind, message } of hops.flatMap((hop) => findMessages(hop, sender))) {
    const summed = kinds.get(kind) ?? { messages: 0, members: new Map() }
    kinds.set(kind, summed)
    summed.messages += 1
    const { members, departures } = lintDialect(kind, message)
    for (const member of members) {
      const departure = departures.find((each) => isSame(each, member))
      const path = inGeneral(member.path)
      summed.members.set(`${path} ${member.follows}`, {
        path,
        follows: member.follows,
        clause: member.clause,
        ...(departure && { documents: departure.documents }),
      })
    }
  }
  return [...kinds].map(([kind, { messages, members }]) => ({
    kind,
    messages,
    members: [...members.values()],
  }))
}

interface Summed {
  messages: number
  readonly members: Map<string, DialectSummary['members'][number]>
}

const isSame = (one: DialectMember, other: DialectMember) =>
  one.path === other.path && one.follows === other.follows

/** `credentials.0` as `credentials.*`: places in a list say nothing of the form. */
const inGeneral = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '.*')
