import { plainText } from '../terminal/print.ts'
import type { CredentialSummary } from './credential-summary.ts'
import type { CredentialStatus } from './read-statuses.ts'

export interface CredentialCardOptions {
  /** Unix seconds, to say whether it is valid. */
  readonly now: number
  /** Characters between the edges. */
  readonly width?: number
}

/** Draws a credential as a card for the terminal. */
export function credentialCard(
  summary: CredentialSummary & Partial<CredentialStatus>,
  { now, width = 72 }: CredentialCardOptions,
): string {
  const title = summary.types.at(-1) ?? 'Credential'
  const rows: readonly (readonly [label: string, value: string | undefined])[] = [
    ['Organization', summary.organization],
    ['', summary.organizationIdentifier],
    ['Holder', summary.name],
    ['', summary.email],
    ['Employee', summary.employeeId],
    ...summary.powers.map((power, index) => [index === 0 ? 'Powers' : '', power] as const),
    ['Issuer', summary.issuer],
    ['Valid', validity(summary, now)],
    ['Status', describeStatus(summary)],
    ['Credential', summary.credentialId],
  ]
  const lines = rows.flatMap(([label, value]) =>
    value === undefined ? [] : wrap(plainText(value), width - 15, label),
  )
  const edge = '─'.repeat(width)
  const inBox = (text: string) => `│ ${pad(text, width - 2)} │`
  const heading = `${plainText(title)}${' '.repeat(Math.max(1, width - 2 - [...title].length - summary.id.length))}${summary.id}`
  return [`╭${edge}╮`, inBox(heading), `├${edge}┤`, ...lines.map(inBox), `╰${edge}╯`].join('\n')
}

function wrap(text: string, room: number, label: string): string[] {
  const characters = [...text]
  const parts: string[] = []
  for (let start = 0; start < characters.length; start += room) {
    parts.push(characters.slice(start, start + room).join(''))
  }
  return parts.map((part, index) => `${(index === 0 ? label : '').padEnd(13)}${part}`)
}

function pad(text: string, width: number): string {
  const characters = [...text]
  return characters.slice(0, width).join('') + ' '.repeat(Math.max(0, width - characters.length))
}

function validity({ validFrom, validUntil }: CredentialSummary, now: number): string | undefined {
  if (validUntil === undefined && validFrom === undefined) return undefined
  const period = [validFrom, validUntil].map((time) => (time === undefined ? '…' : dayOf(time)))
  const remark =
    validUntil !== undefined && validUntil <= now
      ? ' (expired)'
      : validFrom !== undefined && validFrom > now
        ? ' (not yet)'
        : ''
  return `${period.join(' to ')} UTC${remark}`
}

/** Undefined for a credential whose status was not looked at. */
export function describeStatus({ status, statusReason }: Partial<CredentialStatus>) {
  if (status === 'unknown') return `status could not be checked: ${statusReason}`
  return status === 'valid' ? 'not revoked' : status && 'revoked by its issuer'
}

function dayOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString().slice(0, 16).replace('T', ' ')
}
