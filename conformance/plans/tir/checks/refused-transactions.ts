import type { CheckRow, CheckTexts, Finding } from '../../../kit/check.ts'
import { defineChecks, wronglyAccepted } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { TirContext } from '../context.ts'
import { type PreparedSending, prepareSending, signSending } from '../publications.ts'
import { findRpcError } from '../rpc.ts'

/** Publications that must not be sent, by what is wrong with them. */
interface WrongSendings extends CheckTexts {
  /** Changes the correct parameters, by the resulting mistake: `A changed r`. */
  readonly wrong: Readonly<Record<string, Change>>
}

type Change = (prepared: PreparedSending, context: TirContext) => object | Promise<object>

/** Adds one to a member of unsignedTransaction, so that it differs from the signed transaction. */
const oneMore =
  (member: 'nonce' | 'gasLimit' | 'gasPrice' | 'value'): Change =>
  ({ sending, unsigned }) => {
    const changed = { [member]: `0x${(BigInt(unsigned[member]) + 1n).toString(16)}` }
    return { ...sending, unsignedTransaction: { ...unsigned, ...changed } }
  }

const onOtherChain = (unsigned: PreparedSending['unsigned']): PreparedSending['unsigned'] => ({
  ...unsigned,
  chainId: `0x${(BigInt(unsigned.chainId) + 1n).toString(16)}`,
})

const withProtocol =
  (protocol: string | undefined): Change =>
  ({ sending }) => ({ ...sending, protocol })

const withMember =
  (member: string, value: unknown): Change =>
  ({ sending }) => ({ ...sending, [member]: value })

const withoutUnsigned =
  (member: keyof PreparedSending['unsigned']): Change =>
  ({ sending, unsigned }) => ({
    ...sending,
    unsignedTransaction: { ...unsigned, [member]: undefined },
  })

export const checks = defineChecks<TirContext, WrongSendings>(
  {
    'T44-changed-r': {
      title: 'A transaction whose r differs from the raw transaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'The members must agree: the TIR must send exactly what was checked.',
      fix: 'Compare r with that in signedRawTransaction. If they differ, return error.code -32602, and do not send the transaction.',
      wrong: { 'A changed r': ({ sending }) => ({ ...sending, r: `0x${'11'.repeat(32)}` }) },
    },
    'T45-changed-s': {
      title: 'A transaction whose s differs from the raw transaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'The members must agree: the TIR must send exactly what was checked.',
      fix: 'Compare s with that in signedRawTransaction. If they differ, return error.code -32602, and do not send the transaction.',
      wrong: { 'A changed s': ({ sending }) => ({ ...sending, s: `0x${'11'.repeat(32)}` }) },
    },
    'T46-changed-v': {
      title: 'A transaction whose v differs from the raw transaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'A different v recovers a different key and therefore a different signer.',
      fix: 'Compare v with that in signedRawTransaction. If they differ, return error.code -32602, and do not send the transaction.',
      wrong: {
        'A changed v': ({ sending }) => ({ ...sending, v: sending.v === '0x1b' ? '0x1c' : '0x1b' }),
      },
    },
    'T47-changed-data': {
      title: 'A raw transaction whose call data differs from unsignedTransaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description:
        'A reader of unsignedTransaction would see a different publication than the one that is made.',
      fix: 'Compare data of unsignedTransaction with that in signedRawTransaction. If they differ, return error.code -32602, and do not send the transaction.',
      wrong: {
        'unsignedTransaction with other data': ({ sending, unsigned }) => {
          const data = `${unsigned.data.slice(0, -2)}ff`
          return { ...sending, unsignedTransaction: { ...unsigned, data } }
        },
      },
    },
    'T48-changed-quantities': {
      title:
        'A raw transaction whose nonce, gas or value differs from unsignedTransaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'The transaction may cost more than the client agreed to.',
      fix: 'Compare nonce, gasLimit, gasPrice and value of unsignedTransaction with those in signedRawTransaction. If one differs, return error.code -32602, and do not send the transaction.',
      wrong: {
        'unsignedTransaction with another nonce': oneMore('nonce'),
        'unsignedTransaction with another gasLimit': oneMore('gasLimit'),
        'unsignedTransaction with another gasPrice': oneMore('gasPrice'),
        'unsignedTransaction with another value': oneMore('value'),
      },
    },
    'T49-wrong-chain': {
      title: 'A transaction for another chain is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      clauses: ['EIP-155, Specification'],
      description:
        'It can never be mined here; a client that gets a hash for it waits indefinitely.',
      fix: 'Compare chainId of the transaction with that of the network. If it differs, return error.code -32602, and do not send the transaction.',
      wrong: {
        'A transaction for another chain': ({ unsigned, by }) =>
          signSending(onOtherChain(unsigned), by.signer.privateKey),
        'unsignedTransaction for another chain': ({ sending, unsigned }) => ({
          ...sending,
          unsignedTransaction: onOtherChain(unsigned),
        }),
        'A raw transaction for another chain, with its r, s and v': ({ unsigned, by }) => {
          const signed = signSending(onOtherChain(unsigned), by.signer.privateKey)
          return { ...signed, unsignedTransaction: unsigned }
        },
      },
    },
    'T50-wrong-contract': {
      title: 'A transaction to an address other than the TIR contract is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'Otherwise the API would send any transaction to the chain.',
      fix: 'Compare to of unsignedTransaction and of signedRawTransaction with the contract of the TIR. If one differs, return error.code -32602, and do not send the transaction.',
      wrong: {
        'A transaction to another address': ({ unsigned, by }, { didRegistry }) => {
          const to = didRegistry.createIdentity().address
          return signSending({ ...unsigned, to }, by.signer.privateKey)
        },
        'A raw transaction to another address, with its r, s and v': (
          { unsigned, by },
          { didRegistry },
        ) => {
          const to = didRegistry.createIdentity().address
          const signed = signSending({ ...unsigned, to }, by.signer.privateKey)
          return { ...signed, unsignedTransaction: unsigned }
        },
        'unsignedTransaction to another address': ({ sending, unsigned }, { didRegistry }) => {
          const to = didRegistry.createIdentity().address
          return { ...sending, unsignedTransaction: { ...unsigned, to } }
        },
        'A transaction to the contract of the DID registry': async (prepared, { didRegistry }) => {
          const { by, unsigned } = prepared
          const body = { did: by.did, alsoKnownAs: 'urn:oid:1.2.3:t50', from: by.signer.address }
          const building = didRegistry.client.build('updateAlsoKnownAs', body)
          const { to } = await asPremise('building updateAlsoKnownAs (see D05)', building)
          return signSending({ ...unsigned, to }, by.signer.privateKey)
        },
      },
    },
    'T51-another-signer': {
      title: 'A transaction whose signer does not match from is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description:
        'A client that signed with the wrong key gets an error instead of a receipt with the status reverted.',
      fix: 'Recover the signer from the signature, and compare it with from of unsignedTransaction. If they differ, return error.code -32602, and do not send the transaction.',
      wrong: {
        'A transaction by a signer other than from': ({ unsigned }, { didRegistry }) => {
          const { address, privateKey } = didRegistry.createIdentity()
          const signed = signSending({ ...unsigned, from: address, nonce: '0x0' }, privateKey)
          const unsignedTransaction = { ...signed.unsignedTransaction, from: unsigned.from }
          return { ...signed, unsignedTransaction }
        },
      },
    },
    'T67-members-of-a-sending': {
      title: 'sendSignedTransaction requires each of its members',
      level: 'spec',
      rows: ['2.endpoints/tir.12', '2.endpoints/tir.15', '2.errors/tir.4'],
      description:
        'A member that is not there cannot be compared: the TIR would send something that the client did not show.',
      fix: 'Require protocol, unsignedTransaction with all of its members, r, s, v and signedRawTransaction. If one is missing or null, return error.code -32602.',
      wrong: {
        ...Object.fromEntries(
          (['unsignedTransaction', 'r', 's', 'v', 'signedRawTransaction'] as const).flatMap(
            (member) => [
              [`${member} left out`, withMember(member, undefined)],
              [`null as ${member}`, withMember(member, null)],
            ],
          ),
        ),
        ...Object.fromEntries(
          (
            ['to', 'data', 'gasLimit', 'gasPrice', 'chainId', 'nonce', 'value', 'from'] as const
          ).map((member) => [`unsignedTransaction without ${member}`, withoutUnsigned(member)]),
        ),
      },
    },
    'T52-protocol': {
      title: 'A protocol other than eth is rejected',
      level: 'spec',
      rows: ['2.endpoints/tir.12', '2.endpoints/tir.16'],
      description: 'The protocol is always eth: any other one is meant for a different network.',
      fix: 'Require that protocol is the string eth. Reject anything else with error.code -32602.',
      wrong: {
        'protocol fabric': withProtocol('fabric'),
        'protocol ETH': withProtocol('ETH'),
        'protocol eth followed by a space': withProtocol('eth '),
        'protocol left out': withProtocol(undefined),
      },
    },
  },
  toCheck,
)

function toCheck({ wrong, ...texts }: WrongSendings): CheckRow<TirContext> {
  const what = Object.keys(wrong)
  return {
    ...texts,
    expectation: 'refuse',
    sends: `sendSignedTransaction of a publication: ${what.join('; ')}.`,
    decides: `error.code -32602${what.length > 1 ? ' for each of them' : ''}, and the attribute is not published; the valid publication returns a result.`,
    control: 'sendSignedTransaction',
    run: (context) =>
      findEach(Object.entries(wrong), ([wrongly, change]) => findNotSent(context, wrongly, change)),
  }
}

/**
 * Sends an invalid publication: it must be rejected with -32602, and no part of it may reach the
 * chain.
 */
async function findNotSent(context: TirContext, what: string, change: Change): Promise<Finding> {
  const { tir } = context
  const prepared = await prepareSending(context)
  const { did, attributeId } = prepared.metadata
  const answer = await tir.call('sendSignedTransaction', await change(prepared, context))
  const finding = findRpcError(answer, { what, code: -32602 })
  if (finding.kind !== 'held') return finding
  if ((await tir.readAttribute(did, attributeId)) === undefined) return finding
  return wronglyAccepted(`${what} was sent to the chain: the attribute is published`, {
    verdictSource: 'the attribute afterwards',
    expected: 'no attribute',
    actual: answer.json,
  })
}
