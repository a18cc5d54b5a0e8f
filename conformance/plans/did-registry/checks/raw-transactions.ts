import { keccak_256 } from '@noble/hashes/sha3.js'
import {
  signTransaction,
  signTypedTransaction,
  type UnsignedTransaction,
} from '#core/ethereum/transaction.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import type { FreshIdentity } from '../../registries/did-registry-under-test.ts'
import { requireVerdict } from '../../registries/findings.ts'
import {
  curveOrder,
  type LegacySignature,
  serializeUnsigned,
  signLegacy,
  signTyped,
  withHighS,
} from '../../registries/raw-transactions.ts'
import type { DidRegistryContext } from '../context.ts'
import { buildUpdate } from '../operations.ts'
import { findSendRefused, requireApplied, requireSent } from '../send.ts'

/** Raw transactions that must not be sent, by what is wrong with them. */
function wrongTransactions(
  built: UnsignedTransaction,
  { privateKey }: FreshIdentity,
): Record<string, string> {
  const raw = signLegacy({ unsigned: built, privateKey })
  const changed = (change: (signature: LegacySignature) => LegacySignature) =>
    signLegacy({ unsigned: built, privateKey }, { change })
  const typed = signTypedTransaction(built, 2, privateKey).raw
  const next = { ...built, chainId: `0x${(BigInt(built.chainId) + 1n).toString(16)}` }
  const elsewhere = { ...built, to: `0x${'11'.repeat(20)}` }
  const digit = built.to.endsWith('2') ? '3' : '2'
  const nearby = { ...built, to: `${built.to.slice(0, -1)}${digit}` }
  return {
    'An unsigned transaction': serializeUnsigned(built),
    'A transaction with the high s of its signature': changed(withHighS),
    'A transaction with r 0': changed((signature) => ({ ...signature, r: 0n })),
    'A transaction with s 0': changed((signature) => ({ ...signature, s: 0n })),
    'A transaction with r of the order of the curve': changed((signature) => ({
      ...signature,
      r: curveOrder,
    })),
    'A transaction with another v': changed((signature) => ({ ...signature, v: 29n })),
    'A transaction without a chain id': signLegacy(
      { unsigned: built, privateKey },
      { isBound: false },
    ),
    'A transaction whose gas price begins with a zero byte': signLegacy(
      { unsigned: built, privateKey },
      { isPadded: true },
    ),
    'A transaction for chain 0': signLegacy({ unsigned: { ...built, chainId: '0x0' }, privateKey }),
    'A transaction that creates a contract': signLegacy({
      unsigned: { ...built, to: '0x' },
      privateKey,
    }),
    'A transaction to an address that differs in its last digit': signLegacy({
      unsigned: nearby,
      privateKey,
    }),
    'A transaction that moves funds that its signer does not have': signLegacy({
      unsigned: { ...built, value: '0x1' },
      privateKey,
    }),
    'A transaction followed by a byte': `${raw}00`,
    'A transaction without its last byte': raw.slice(0, -2),
    'A transaction with half a byte': raw.slice(0, -1),
    'A transaction without 0x': raw.slice(2),
    'A transaction with a space before it': ` ${raw}`,
    'A transaction followed by a space': `${raw} `,
    'A transaction with a letter before it': `x${raw}`,
    'A transaction twice in a row': `${raw}${raw.slice(2)}`,
    'A typed transaction for another chain': signTypedTransaction(next, 2, privateKey).raw,
    'A typed transaction to another address': signTypedTransaction(elsewhere, 1, privateKey).raw,
    'A typed transaction of the unknown type 0x7e': `0x7e${typed.slice(4)}`,
    'A typed transaction without funds for its gas': signTypedTransaction(
      { ...built, gasPrice: '0xde0b6b3a7640000' },
      2,
      privateKey,
    ).raw,
  }
}

/** The call data of a function that takes an address: `authorizeOnboardingNode(address)`. */
const encodeCall = (signature: string, address: string) =>
  `0x${Buffer.from(keccak_256(Buffer.from(signature)).subarray(0, 4)).toString('hex')}${address
    .slice(2)
    .toLowerCase()
    .padStart(64, '0')}`

export const checks = defineChecks<DidRegistryContext>({
  'D116-malformed-transactions': {
    title: 'Unsigned, malleable, unbound and malformed transactions are rejected with 400',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4', '2.endpoints/did-registry.14'],
    clauses: ['EIP-2, Specification 2', 'EIP-155, Specification'],
    description:
      'A second form of a signature gives one transaction two hashes, and a transaction without a chain can be replayed on every chain.',
    sends:
      'A valid transaction with one change in its signature, its receiver, its chain or its serialization; then the valid one.',
    decides:
      'HTTP 400 for each of them, and the document stays unchanged, while the valid transaction is mined.',
    fix: 'Decode signedRawTransaction strictly, up to its last byte. Require a signature with a low s, the chain id of the network and the contract as to. Otherwise return 400, and do not send it.',
    needs: ['onboarding-node'],
    async run(context) {
      const { registry } = context
      const identity = await registry.register()
      const { did } = identity
      const prepare = async () => {
        const built = await asPremise('building (see D02)', buildUpdate(registry, identity))
        return { built, wrong: wrongTransactions(built, identity) }
      }
      const first = await prepare()
      const all = Object.keys(first.wrong)
      let current: typeof first | undefined = first
      const finding = await findEach(dueCases(context, all), async (what) => {
        current ??= await prepare()
        const raw = current.wrong[what] ?? ''
        const found = await findSendRefused(registry, { what, raw, did })
        // An accepted transaction has used its nonce.
        if (found.kind !== 'held') current = undefined
        return found
      })
      if (finding.kind !== 'held') return finding
      const raw = signTyped(first.built, identity.privateKey)
      const { receipt } = await asPremise(
        'sending the valid transaction (see D68)',
        requireSent(registry, raw, [200, 206]),
      )
      return (receipt?.status ?? 1) === 1
        ? held(`${all.length} changed transactions were rejected, and the valid one was mined`)
        : inconclusive('The valid transaction reverted, so the rejections prove nothing')
    },
  },
  'D117-replayed-transaction': {
    title: 'A transaction that was mined cannot be sent again',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/did-registry.4'],
    description: 'A client that sent it twice by mistake learns that its nonce was used.',
    sends:
      'A transaction of each type, and a legacy one if the registry accepts it; after its receipt the same bytes again.',
    decides: 'HTTP 400, and the document stays unchanged.',
    fix: 'Compare the nonce in signedRawTransaction with the next one of its signer. If it has already been used, including by this transaction, return 400.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did, privateKey } = identity
      return findEach([1, 2, 'legacy'] as const, async (type) => {
        const building = buildUpdate(registry, identity)
        const built = await asPremise('building (see D02)', building)
        const { raw } =
          type === 'legacy'
            ? signTransaction(built, privateKey)
            : signTypedTransaction(built, type, privateKey)
        const sent = await registry.post('transactions/send', { signedRawTransaction: raw })
        if (type === 'legacy' && sent.status === 400)
          return held('Legacy transactions are rejected')
        await asPremise('sending it (see D68)', requireApplied(registry, raw, sent))
        const what = `A mined transaction (${type === 'legacy' ? type : `type 0x0${type}`})`
        return findSendRefused(registry, { what, raw, did })
      })
    },
  },
  'D119-operator-by-unrelated-party': {
    title: 'An account cannot make itself an onboarding node',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.authentication.1', '2.endpoints/did-registry.26'],
    description:
      'Only the operator decides who registers organizations. The API builds no such call, but anyone can sign one.',
    sends:
      'A call of authorizeOnboardingNode(address), which the API does not build, by an unrelated account for itself; then a registration by that account.',
    decides:
      'The registration is rejected or reverted, while one by the onboarding node is applied. A contract without this function passes as well.',
    fix: 'Require in all functions of the contract for the operator that the sender is the operator. Otherwise revert.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      // If the registry accepts no registration at all, its rejection proves nothing.
      const owner = await registry.register()
      const outsider = registry.createIdentity()
      const { address, privateKey } = outsider
      const built = await asPremise('building (see D02)', buildUpdate(registry, owner))
      const data = encodeCall('authorizeOnboardingNode(address)', address)
      const raw = signTyped({ ...built, from: address, nonce: '0x0', data }, privateKey)
      requireVerdict(await registry.post('transactions/send', { signedRawTransaction: raw }))
      const body = registry.firstDocumentOf(outsider)
      const { isApplied, observed } = await registry.attempt(
        'insertFirstDidDocument',
        body,
        outsider,
      )
      const what = 'A registration by an account that authorized itself'
      if (isApplied)
        return broken(`${what} ${observed}`, { verdictSource: 'status of the receipt' })
      return held(`${what} ${observed}`)
    },
  },
  'D132-withdrawal-by-unrelated-party': {
    title: 'An account cannot withdraw an onboarding node',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.authentication.1', '2.endpoints/did-registry.26'],
    description:
      'Without onboarding nodes no organization can register. Anyone can sign a call that the API does not build.',
    sends:
      'eth_call of withdrawOnboardingNode(address) by an unrelated account at the chain node, for the onboarding node and for another account. It changes nothing.',
    decides:
      'The call for the onboarding node reverts. If both calls succeed, the check is inconclusive. A contract without this function passes as well.',
    fix: 'Require in all functions of the contract for the operator that the sender is the operator. Otherwise revert.',
    needs: ['onboarding-node', 'chain'],
    async run({ registry, askNode }) {
      // If the node registers no DID, it may not be authorized, and has nothing to lose.
      const owner = await registry.register()
      const [outsider, other] = [registry.createIdentity(), registry.createIdentity()]
      const { to } = await asPremise('building (see D02)', buildUpdate(registry, owner))
      const call = async (transaction: object) => {
        const asking = askNode('eth_call', [transaction, 'latest'])
        return (await asPremise('eth_call at the chain node', asking)) === '0x'
      }
      const mayWithdraw = (node: string) => {
        const data = encodeCall('withdrawOnboardingNode(address)', node)
        return call({ from: outsider.address, to, data })
      }
      if (!(await call({ from: outsider.address, to: other.address, data: '0x' }))) {
        return inconclusive(
          'The chain node does not answer eth_call of an account without code with 0x',
        )
      }
      const { address } = registry.onboardingNode
      if (!(await mayWithdraw(address))) return held('The call for the onboarding node reverts')
      return (await mayWithdraw(other.address))
        ? inconclusive('The call succeeds for any account, so it proves no right')
        : broken('The contract lets an unrelated account withdraw the onboarding node', {
            verdictSource: 'eth_call at the chain node',
            expected: 'a revert',
            actual: '0x',
          })
    },
  },
})
