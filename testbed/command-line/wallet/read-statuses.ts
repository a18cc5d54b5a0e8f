import { setTimeout } from 'node:timers/promises'
import { revokedReason } from '#core/lear-credential/credential-status.ts'
import { validateReceivedCredential } from '#wallet-emulator/actions/validate-received-credential.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import type { StoredCredential } from '#wallet-emulator/store/wallet-store.ts'
import type { WalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'
import { connectWallet } from './connect-wallet.ts'
import { type CredentialSummary, summarizeCredential } from './credential-summary.ts'
import type { openAccount } from './open-wallet.ts'
import type { NetworkOptions } from './wallet-options.ts'

/** Whether an issuer has revoked a credential; `unknown` if its status list could not be judged. */
export interface CredentialStatus {
  readonly status: 'valid' | 'revoked' | 'unknown'
  readonly statusReason?: string
}

export type CredentialWithStatus = CredentialSummary & CredentialStatus

/** For all credentials of a command: one that hangs must not keep the others from being shown. */
const longestWait = 3000

/** Asks each question once, however many credentials it concerns. */
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

/** Summarizes credentials, each with its status as the issuer publishes it now. */
export async function readStatuses(
  opened: Awaited<ReturnType<typeof openAccount>>,
  credentials: readonly StoredCredential[],
  options: NetworkOptions,
): Promise<CredentialWithStatus[]> {
  const byIssuer = Map.groupBy(credentials, ({ credentialIssuer }) => credentialIssuer)
  const statuses = new Map<StoredCredential, Promise<CredentialStatus>>()
  const late = setTimeout(longestWait, unknown('the registries did not answer in time'), {
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
      statuses.set(stored, Promise.race([readStatus(wallet, stored, shared), late]))
    }
  }
  return Promise.all(
    credentials.map(async (stored) => ({
      ...summarizeCredential(stored),
      ...((await statuses.get(stored)) ?? unknown('it was not asked for')),
    })),
  )
}

async function readStatus(
  wallet: Wallet,
  stored: StoredCredential,
  trust: WalletTrust,
): Promise<CredentialStatus> {
  const { credential, credentialIssuer } = stored
  const { types } = summarizeCredential(stored)
  const verdict = await validateReceivedCredential(wallet, credential, {
    ...trust,
    types,
    credentialIssuer,
  })
  const found = [...verdict.failures, ...verdict.unchecked]
  const failure = found.find(({ rule }) => rule === 'credential.status')
  if (failure === undefined) return { status: 'valid' }
  return failure.reason === revokedReason ? { status: 'revoked' } : unknown(failure.reason)
}

function unknown(statusReason: string): CredentialStatus {
  return { status: 'unknown', statusReason }
}
