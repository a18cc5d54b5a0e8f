import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, type Finding } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'

export interface DocumentedRefusal {
  readonly what: string
  readonly status: number
  /** Word for word; the documents fix no place for it. */
  readonly message: string
}

/** True where a text of the answer holds the message: its shape is not shown, and it may go on. */
const saysIt = (value: unknown, message: string): boolean =>
  typeof value === 'string'
    ? value.includes(message)
    : typeof value === 'object' &&
      value !== null &&
      Object.values(value).some((each) => saysIt(each, message))

/** What an answer says where the documents demand a refusal with this status and message. */
export function findDocumentedRefusal(
  answer: HttpAnswer,
  { what, status, message }: DocumentedRefusal,
): Finding {
  const finding = findRefusal(answer, { what, statuses: [status] })
  if (finding.kind !== 'held') return finding
  if (saysIt(answer.json ?? answer.text, message)) return finding
  return broken(`${what} was refused, but the answer does not say why as documented`, {
    expected: message,
    actual: answer.json ?? answer.text.slice(0, 300),
    verdictSource: `the answer of ${new URL(answer.url).pathname}`,
  })
}
