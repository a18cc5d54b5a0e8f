import { InvalidArgumentError } from 'commander'
import { parseIsoTime } from '#core/verification/data-model.ts'

/** Parses an option that is a time: Unix seconds, or ISO 8601 with a time zone. */
export function instantOf(text: string): number {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : parseIsoTime(text)
  if (seconds !== undefined) return Math.floor(seconds)
  throw new InvalidArgumentError('Unix seconds, or a time such as 2026-11-21T10:00:00Z.')
}
