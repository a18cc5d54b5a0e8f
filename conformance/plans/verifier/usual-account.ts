import { type Account, createAccount } from '#wallet-emulator/keys/create-account.ts'

const bytesOf = (coordinate = '') => Buffer.from(coordinate, 'base64url')

/** Whether a coordinate of a key is shorter as a number without padding, as one of 256 is. */
export const isShort = (coordinate: string): boolean => bytesOf(coordinate)[0] === 0

/** Whether y is odd, which a compressed point says in its first byte. */
export const isOdd = ({ privateKey }: Account): boolean =>
  ((bytesOf(privateKey.y).at(-1) ?? 0) & 1) === 1

/**
 * A holder with an even y and no short coordinate: a verifier that loses zeros or the sign
 * of y fails V128, and nothing by chance.
 */
export function createUsualAccount(): Account {
  for (;;) {
    const account = createAccount()
    const { x = '', y = '' }: { x?: string; y?: string } = account.privateKey
    if (!isShort(x) && !isShort(y) && !isOdd(account)) return account
  }
}
