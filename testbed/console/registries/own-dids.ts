import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Signer } from '#core/ethereum/account.ts'

/** A DID that a person registered on the console, with its current key. */
export interface OwnDid extends Signer {
  readonly did: string
  readonly environment: string
  readonly name: string
  readonly vMethodId: string
  /** Its latest accreditation, 64 hex digits without 0x. */
  readonly attributeId?: string
}

/** The DIDs of the console and their keys: only in the memory of this process. */
export interface OwnDids {
  /** In the order of their registration. */
  list(environment: string): readonly OwnDid[]
  find(did: string): OwnDid | undefined
  /** Adds a DID or replaces it. */
  keep(did: OwnDid): void
  /** @throws TestbedError `too_many_dids` (409) */
  requireSpace(): void
  /** Pairs of an identifier (DID or account) and its name. */
  names(environment: string): readonly (readonly [identifier: string, name: string])[]
}

const mostDids = 200

export function createOwnDids(): OwnDids {
  const dids = new Map<string, OwnDid>()
  const list = (environment: string) =>
    [...dids.values()].filter((each) => each.environment === environment)
  return {
    list,
    find: (did) => dids.get(did),
    keep(own) {
      dids.set(own.did, own)
    },
    requireSpace() {
      if (dids.size < mostDids) return
      const message = `The console holds ${mostDids} DIDs. Restart the testbed to register more.`
      throw new TestbedError({ code: 'too_many_dids', status: 409, message })
    },
    names: (environment) =>
      list(environment).flatMap(({ did, address, name }) => [
        [did, name] as const,
        [address, name] as const,
      ]),
  }
}
