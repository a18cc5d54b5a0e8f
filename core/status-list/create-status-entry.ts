import type { StatusEntryType } from './z-status-list.ts'

export interface CreateStatusEntryOptions {
  /** Address of the list credential, below the credential issuer's own base. */
  readonly statusListUrl: string
  readonly index: number
  /** Default: BitstringStatusListEntry. */
  readonly type?: StatusEntryType
}

/**
 * The `credentialStatus` of a credential that can be revoked.
 *
 * @assumption A-23
 */
export function createStatusEntry({
  statusListUrl,
  index,
  type = 'BitstringStatusListEntry',
}: CreateStatusEntryOptions) {
  return {
    id: `${statusListUrl}#${index}`,
    type,
    statusPurpose: 'revocation',
    statusListIndex: String(index),
    statusListCredential: statusListUrl,
  }
}
