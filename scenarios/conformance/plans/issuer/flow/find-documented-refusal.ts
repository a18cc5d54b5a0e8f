import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { findRefusal } from '../../../classify-answer.ts'
import { broken, type Finding } from '../../../finding.ts'

export interface DocumentedRefusal {
  readonly what: string
  readonly status: number
  /** Word for word; the documents fix no member for it. */
  readonly message: string
}

/** What an answer says where the documents demand a refusal with this status and message. */
export function findDocumentedRefusal(
  answer: HttpAnswer,
  { what, status, message }: DocumentedRefusal,
): Finding {
  const finding = findRefusal(answer, { what, statuses: [status] })
  if (finding.kind !== 'held') return finding
  const members = typeof answer.json === 'object' && answer.json ? Object.values(answer.json) : []
  if (members.includes(message)) return finding
  return broken(`${what} was refused, but no member of the answer says why as documented`, {
    expected: message,
    actual: answer.json ?? answer.text.slice(0, 300),
    verdictSource: `the answer of ${new URL(answer.url).pathname}`,
  })
}
