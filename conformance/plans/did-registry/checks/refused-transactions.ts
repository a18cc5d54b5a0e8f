import type { UnsignedTransaction } from '#core/ethereum/transaction.ts'
import {
  type CheckLevel,
  type CheckRow,
  type CheckTexts,
  defineChecks,
} from '../../../kit/check.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { serializeWithoutSigner, signTyped } from '../../registries/raw-transactions.ts'
import type { DidRegistryContext } from '../context.ts'
import { buildUpdate } from '../operations.ts'
import { findSendRefused } from '../send.ts'

/** A transaction that must not be sent. */
interface WrongTransaction extends CheckTexts {
  /** `A transaction with an obsolete nonce`. */
  readonly what: string
  /** Signs a transaction built for the identity, with one mistake. */
  readonly sign: (
    built: UnsignedTransaction,
    tools: { readonly identity: FreshIdentity; readonly registry: DidRegistryUnderTest },
  ) => string | Promise<string>
  /** The level if the transaction is mined and reverted instead of rejected. */
  readonly revertedLevel?: CheckLevel
  readonly note?: string
}

export const checks = defineChecks<DidRegistryContext, WrongTransaction>(
  {
    'D60-wrong-chain': {
      title: 'A transaction for another chain is rejected with 400',
      level: 'practice',
      rows: ['2.errors/did-registry.4'],
      clauses: ['EIP-155, Specification'],
      description:
        'It can never be mined here; a client that gets a hash for it waits indefinitely.',
      fix: 'Compare the chain id in signedRawTransaction with that of the network. If it differs, return 400, and do not send it.',
      what: 'A transaction for another chain',
      sign(built, { identity }) {
        const chainId = `0x${(BigInt(built.chainId) + 1n).toString(16)}`
        return signTyped({ ...built, chainId }, identity.privateKey)
      },
    },
    'D61-wrong-contract': {
      title: 'A transaction to an address other than the registry is rejected with 400',
      level: 'practice',
      rows: ['2.errors/did-registry.4', '2.resources-and-their-fields/unsigned-transaction.1'],
      description:
        'Otherwise the API would send any transaction to the chain, and a client whose `to` was changed would get a success.',
      fix: 'Compare to in signedRawTransaction with the address of the contract. If it differs, return 400, and do not send it.',
      what: 'A transaction to another address',
      sign(built, { identity, registry }) {
        const to = registry.createIdentity().address
        return signTyped({ ...built, to }, identity.privateKey)
      },
    },
    'D62-signed-by-another-key': {
      title: 'A transaction signed with a key other than that of its sender is rejected with 400',
      level: 'spec',
      rows: ['2.errors/did-registry.4'],
      description:
        'A client that signed with the wrong key gets an immediate error instead of a receipt with the status reverted.',
      fix: 'Recover the signer of signedRawTransaction, and compare it with the account that the transaction was built for. If they differ, return 400, and do not send it.',
      what: 'A transaction signed with a key other than that of its sender',
      revertedLevel: 'practice',
      note: 'A transaction that is mined and reverted instead is a warning, because the request does not contain from.',
      sign(built, { registry }) {
        const { address: from, privateKey } = registry.createIdentity()
        return signTyped({ ...built, from }, privateKey)
      },
    },
    'D63-obsolete-nonce': {
      title: 'An obsolete nonce is rejected with 400',
      level: 'spec',
      rows: ['2.errors/did-registry.4'],
      description:
        'Another transaction of the account came first: the client must build a new one, and not wait for this one.',
      fix: 'Compare the nonce in signedRawTransaction with the next one of its signer. If it has already been used, return 400.',
      what: 'A transaction with an obsolete nonce',
      async sign(built, { identity, registry }) {
        const { did, privateKey } = identity
        await registry.write('updateAlsoKnownAs', { did, alsoKnownAs: 'urn:oid:1.2.3' }, identity)
        return signTyped(built, privateKey)
      },
    },
    'D64-no-funds': {
      title: 'A transaction that its signer cannot pay for is rejected with 400',
      level: 'spec',
      rows: ['2.errors/did-registry.4'],
      description: 'No node accepts it, so it can never be mined.',
      fix: 'Compare the gas limit times the gas price in signedRawTransaction with the balance of its signer. If the balance is too low, return 400.',
      what: 'A transaction without funds for its gas',
      sign: (built, { identity }) =>
        signTyped({ ...built, gasPrice: '0xde0b6b3a7640000' }, identity.privateKey),
    },
    'D65-spoilt-signature': {
      title: 'An invalid signature is rejected with 400',
      level: 'spec',
      rows: ['2.errors/did-registry.4'],
      clauses: ['EIP-2, Specification 2'],
      description: 'It proves nothing about the signer.',
      fix: 'Recover the signer from r, s and v of signedRawTransaction. If the signature is invalid, return 400, and do not send it.',
      what: 'A transaction with a corrupted signature',
      sign: serializeWithoutSigner,
    },
  },
  toCheck,
)

function toCheck({
  what,
  sign,
  revertedLevel,
  note,
  ...texts
}: WrongTransaction): CheckRow<DidRegistryContext> {
  const decides = 'HTTP 400, and the document stays unchanged.'
  return {
    ...texts,
    expectation: 'refuse',
    sends: `${what}, built for updateAlsoKnownAs.`,
    decides: note === undefined ? decides : `${decides} ${note}`,
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const raw = await sign(await buildUpdate(registry, identity), { identity, registry })
      return findSendRefused(registry, { what, raw, did: identity.did, revertedLevel })
    },
  }
}
