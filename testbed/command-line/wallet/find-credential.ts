import { TestbedError } from '#core/errors/testbed-error.ts'
import type { StoredCredential, WalletStore } from '#wallet-emulator/store/wallet-store.ts'
import { summarizeCredential } from './credential-summary.ts'

/**
 * The one credential whose id begins with a text, or whose credential_id is that text. Throws a
 * TestbedError `credential_missing`, or `invalid_option` where several do.
 */
export async function findCredential(store: WalletStore, text: string): Promise<StoredCredential> {
  const credentials = await store.listCredentials()
  const found = credentials.filter(
    (stored) => stored.id.startsWith(text) || summarizeCredential(stored).credentialId === text,
  )
  const [first] = found
  if (first && found.length === 1) return first
  throw new TestbedError({
    code: first ? 'invalid_option' : 'credential_missing',
    status: 404,
    message: first
      ? `Several credentials begin with "${text}".`
      : `There is no credential "${text}" in this wallet.`,
    hints: credentials.map(({ id }) => id),
  })
}
