import { setTimeout } from 'node:timers/promises'
import { parseJws } from '#core/crypto/jws.ts'
import {
  type CredentialContentSummary,
  summarizeCredentialContent,
} from '#core/lear-credential/lear-credential.ts'
import { skewSeconds } from '#core/verification/data-model.ts'
import { connectWallet, type NetworkOptions } from '#testbed/wallet-server/connect-wallet.ts'
import {
  type CredentialStatus,
  readCredentialStatus,
} from '#wallet-emulator/actions/read-credential-status.ts'
import type { WalletOptions } from '#wallet-emulator/create-wallet.ts'
import type { StoredCredential } from '#wallet-emulator/store/wallet-store.ts'
import type { WalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'
import { charactersOf, columnsOf, plainText } from '../terminal.ts'

export interface CredentialCardOptions {
  /** Unix seconds; decides whether the credential is valid. */
  readonly now: number
  /** Columns of the terminal. */
  readonly columns?: number | undefined
}

/** Draws a credential as a card for the terminal, not wider than that. */
export function credentialCard(
  summary: CredentialSummary & Partial<CredentialStatus>,
  { now, columns = process.stdout.columns ?? 80 }: CredentialCardOptions,
): string {
  const width = Math.min(72, Math.max(columns - 2, 30))
  const title = plainText(summary.types.at(-1) ?? 'Credential')
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
    value === undefined
      ? []
      : wrap(plainText(value), width - 15).map(
          (part, index) => (index === 0 ? label : '').padEnd(13) + part,
        ),
  )
  const edge = '─'.repeat(width)
  const pad = (text: string, room: number) => text + ' '.repeat(Math.max(0, room - columnsOf(text)))
  const inBox = (text: string) => `│ ${pad(text, width - 2)} │`
  const room = width - 3 - summary.id.length
  const heading =
    columnsOf(title) <= room
      ? [`${pad(title, room)} ${summary.id}`]
      : [...wrap(title, width - 2), summary.id]
  return [`╭${edge}╮`, ...heading.map(inBox), `├${edge}┤`, ...lines.map(inBox), `╰${edge}╯`].join(
    '\n',
  )
}

/** Breaks text into lines at spaces; cuts a longer word between the characters that a person sees. */
function wrap(text: string, room: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const character of charactersOf(text)) {
    if (columnsOf(line + character) <= room) {
      line += character
      continue
    }
    const space = character === ' ' ? line.length : line.lastIndexOf(' ')
    lines.push(space === -1 ? line : line.slice(0, space))
    line = `${space === -1 ? '' : line.slice(space + 1)}${character}`.trimStart()
  }
  return [...lines, line]
}

function validity({ validFrom, validUntil }: CredentialSummary, now: number): string | undefined {
  if (validUntil === undefined && validFrom === undefined) return undefined
  const period = [validFrom, validUntil].map((time) => (time === undefined ? '…' : dayOf(time)))
  const remark =
    validUntil !== undefined && validUntil <= now
      ? ' (expired)'
      : validFrom !== undefined && validFrom > now + skewSeconds
        ? ' (not valid yet)'
        : ''
  return `${period.join(' to ')} UTC${remark}`
}

/** Undefined for a credential whose status was not checked. */
export function describeStatus({ status, statusReason }: Partial<CredentialStatus>) {
  if (status === 'unknown') return `status could not be checked: ${statusReason}`
  return status === 'valid' ? 'not revoked' : status && 'revoked by its issuer'
}

function dayOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString().slice(0, 16).replace('T', ' ')
}

/** The contents of a credential that matter to the holder, read without trusting its issuer. */
interface CredentialSummary extends CredentialContentSummary {
  readonly id: string
  readonly receivedAt: number
  readonly credentialIssuer: string
}

/** Reads the members of the profile's credential that are present, without checking them. */
export function summarizeCredential(stored: StoredCredential): CredentialSummary {
  const { id, credential, receivedAt, credentialIssuer } = stored
  const jws = parseJws(credential)
  const content = summarizeCredentialContent(jws.ok ? jws.payload : {})
  return { id, ...content, receivedAt, credentialIssuer }
}

export type CredentialWithStatus = CredentialSummary & CredentialStatus

/**
 * For all credentials of a command together: a slow status list must not block the other
 * credentials.
 */
const longestWait = 3000

/** Makes each request once, however many credentials it concerns. */
function askOnce<Args extends unknown[], Answer>(
  ask: ((...args: Args) => Promise<Answer>) | undefined,
) {
  const answers = new Map<string, Promise<Answer>>()
  return (
    ask &&
    ((...args: Args) => {
      const key = JSON.stringify(args)
      const answer = answers.get(key) ?? ask(...args)
      answers.set(key, answer)
      return answer
    })
  )
}

/** Summarizes credentials, each with its currently published status. */
export async function readStatuses(
  opened: Pick<WalletOptions, 'account' | 'store'>,
  credentials: readonly StoredCredential[],
  options: NetworkOptions,
): Promise<CredentialWithStatus[]> {
  const byIssuer = Map.groupBy(credentials, ({ credentialIssuer }) => credentialIssuer)
  const statuses = new Map<StoredCredential, Promise<CredentialStatus>>()
  const late = setTimeout(longestWait, unknown('the registries did not respond in time'), {
    ref: false,
  })
  for (const [link, ofIssuer] of byIssuer) {
    const { wallet, trust } = await connectWallet(opened, { ...options, link })
    const shared = {
      ...trust,
      resolveDidDocument: askOnce(trust.resolveDidDocument),
      readAttribute: askOnce(trust.readAttribute),
      fetchStatusList: askOnce(trust.fetchStatusList),
    } as WalletTrust
    for (const stored of ofIssuer) {
      statuses.set(stored, Promise.race([readCredentialStatus(wallet, stored, shared), late]))
    }
  }
  return Promise.all(
    credentials.map(async (stored) => ({
      ...summarizeCredential(stored),
      ...((await statuses.get(stored)) ?? unknown('it was not requested')),
    })),
  )
}

function unknown(statusReason: string): CredentialStatus {
  return { status: 'unknown', statusReason }
}
