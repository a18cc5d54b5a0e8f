import { randomBytes } from 'node:crypto'
import { signTransaction } from '#core/ethereum/transaction.ts'
import { defineChecks } from '../../../kit/define-check.ts'
import { findEachRefused } from '../../registries/findings.ts'
import { buildUpdate } from '../build-update.ts'
import type { DidRegistryContext } from '../context.ts'
import { findSendRefused } from '../find-send-refused.ts'

export const checks = defineChecks<DidRegistryContext>({
  'D59-garbage-for-a-transaction': {
    title: 'What is no signed transaction is refused with 400',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4', '2.endpoints/did-registry.14'],
    description: 'A hash for something that can never be mined lets a client wait for ever.',
    sends: 'transactions/send with no member, another type, no hex, cut hex, and random bytes.',
    decides: 'HTTP 400 for each of them.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      // One that takes no transaction at all has refused nothing in particular.
      await registry.register()
      const send = (signedRawTransaction?: unknown) => () =>
        registry.post('transactions/send', { signedRawTransaction })
      return findEachRefused(
        {
          'no signedRawTransaction': send(),
          'a number as signedRawTransaction': send(1),
          'an empty signedRawTransaction': send(''),
          'nothing but 0x': send('0x'),
          'letters that are no hex': send(`0x02${'zz'.repeat(60)}`),
          'a type and nothing else': send('0x02'),
          'random bytes': send(`0x02${randomBytes(120).toString('hex')}`),
        },
        { statuses: [400] },
      )
    },
  },
  'D60-wrong-chain': {
    title: 'A transaction for another chain is refused with 400',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4'],
    clauses: ['EIP-155, Specification'],
    description: 'It can never be mined here; a client that gets a hash for it waits for ever.',
    sends: 'A transaction that was built here, signed for the next chain id.',
    decides: 'HTTP 400, and the document is as before.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const chainId = `0x${(BigInt(built.chainId) + 1n).toString(16)}`
      const { raw } = signTransaction({ ...built, chainId }, identity.privateKey)
      const what = 'A transaction for another chain'
      return findSendRefused(registry, { what, raw, did: identity.did })
    },
  },
  'D61-wrong-contract': {
    title: 'A transaction to another address than the registry is refused with 400',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4', '2.resources-and-their-fields/unsigned-transaction.1'],
    description:
      'The registry’s API would be a way into the chain for anything; and a client whose `to` was changed is told that all went well.',
    sends: 'A transaction that was built here, signed for another address.',
    decides: 'HTTP 400, and the document is as before.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const to = registry.createIdentity().address
      const { raw } = signTransaction({ ...built, to }, identity.privateKey)
      const what = 'A transaction to another address'
      return findSendRefused(registry, { what, raw, did: identity.did })
    },
  },
  'D62-signed-by-another-key': {
    title: 'A signature by another key than that of from is refused with 400',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4'],
    description:
      'Whoever signed with the wrong key is told so at once, and not by a receipt that says reverted.',
    sends: 'A transaction that was built for a DID’s controller, signed by another key.',
    decides:
      'HTTP 400, and the document is as before. A transaction that is mined and reverted instead is a warning, as what is sent does not name from.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const stranger = registry.createIdentity()
      const built = await buildUpdate(registry, identity)
      const { raw } = signTransaction({ ...built, from: stranger.address }, stranger.privateKey)
      const what = 'A signature by another key than that of from'
      return findSendRefused(registry, { what, raw, did: identity.did, revertedLevel: 'practice' })
    },
  },
  'D63-obsolete-nonce': {
    title: 'An obsolete nonce is refused with 400',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4'],
    description:
      'Another transaction of the account came first: the client has to build again, and must not wait for this one.',
    sends: 'Two transactions for one nonce, the second one after the first was mined.',
    decides: 'HTTP 400 for the second one, and the document is as before.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const late = await buildUpdate(registry, identity)
      await registry.write('updateAlsoKnownAs', { did, alsoKnownAs: 'urn:oid:1.2.3' }, identity)
      const { raw } = signTransaction(late, identity.privateKey)
      return findSendRefused(registry, { what: 'A transaction with an obsolete nonce', raw, did })
    },
  },
  'D64-no-funds': {
    title: 'A transaction that its signer can’t pay for is refused with 400',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4'],
    description: 'No node takes it, so that it can never be mined.',
    sends:
      'A transaction that was built here, signed with a gas price for an account that has nothing.',
    decides: 'HTTP 400, and the document is as before.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const priced = { ...built, gasPrice: '0xde0b6b3a7640000' }
      const { raw } = signTransaction(priced, identity.privateKey)
      const what = 'A transaction without funds for its gas'
      return findSendRefused(registry, { what, raw, did: identity.did })
    },
  },
  'D65-spoilt-signature': {
    title: 'A signature that no key made is refused with 400',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4'],
    clauses: ['EIP-2, Specification 2'],
    description: 'It proves nothing about who signed.',
    sends: 'A signed transaction whose s is replaced by a number beyond the curve’s order.',
    decides: 'HTTP 400, and the document is as before.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const signed = signTransaction(built, identity.privateKey).raw
      const raw = `${signed.slice(0, -64)}${'f'.repeat(64)}`
      const what = 'A transaction with a spoilt signature'
      return findSendRefused(registry, { what, raw, did: identity.did })
    },
  },
})
