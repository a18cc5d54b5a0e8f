import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import { createEventDecoder } from '#core/ethereum/abi.ts'
import { toHex } from '#core/ethereum/account.ts'
import { signTypedTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineChecks, type Finding, held } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { dueCases, findEach, requireEach } from '../../../kit/find-each.ts'
import { didHashOf, findOtherEvents } from '../../registries/chain-receipts.ts'
import {
  type LegacySignature,
  serializeUnsigned,
  signLegacy,
  withHighS,
} from '../../registries/raw-transactions.ts'
import type { TirContext } from '../context.ts'
import {
  metadataOf,
  type PreparedSending,
  prepareSending,
  signBody,
  signSending,
} from '../publications.ts'
import { findRpcError, requireResult } from '../rpc.ts'

const hex = (value: bigint) => `0x${value.toString(16)}`

/** The parameters of a sending whose raw transaction and signature were changed alike. */
function withSignature(
  { sending, unsigned, by }: PreparedSending,
  change: (signature: LegacySignature) => LegacySignature,
  isBound = true,
): object {
  let changed: LegacySignature = { v: 0n, r: 0n, s: 0n }
  const raw = signLegacy(
    { unsigned, privateKey: by.signer.privateKey },
    {
      isBound,
      change: (signature) => {
        changed = change(signature)
        return changed
      },
    },
  )
  const { v, r, s } = changed
  return { ...sending, r: hex(r), s: hex(s), v: hex(v), signedRawTransaction: raw }
}

/** Sendings whose raw transaction is not the one of the other members, or not one at all. */
function malformedSendings(prepared: PreparedSending): Record<string, object> {
  const { sending, unsigned, by } = prepared
  const { privateKey } = by.signer
  const { signedRawTransaction: raw } = sending
  const withRaw = (signedRawTransaction: string) => ({ ...sending, signedRawTransaction })
  const signed = (changes: Partial<UnsignedTransaction>) =>
    signSending({ ...unsigned, ...changes }, privateKey)
  const otherCase = { ...unsigned, to: `0x${'11'.repeat(20)}` }
  const typed = signTypedTransaction(unsigned, 2, privateKey)
  const accessList = [{ address: unsigned.to, storageKeys: [] }]
  const { raw: withList, ...ofList } = signTypedTransaction(
    { ...unsigned, accessList },
    1,
    privateKey,
  )
  return {
    'An unsigned raw transaction': withRaw(serializeUnsigned(unsigned)),
    'A raw transaction without a chain id': withRaw(
      signLegacy({ unsigned, privateKey }, { isBound: false }),
    ),
    // Its own r, s and v, so that only the chain differs.
    'A signature without a chain id everywhere': withSignature(
      prepared,
      (signature) => signature,
      false,
    ),
    'A raw transaction whose gas price begins with a zero byte': withRaw(
      signLegacy({ unsigned, privateKey }, { isPadded: true }),
    ),
    'A raw transaction followed by a byte': withRaw(`${raw}00`),
    'A raw transaction without its last byte': withRaw(raw.slice(0, -2)),
    'A raw transaction with half a byte': withRaw(raw.slice(0, -1)),
    'A raw transaction without 0x': withRaw(raw.slice(2)),
    'A raw transaction with a letter before it': withRaw(`x${raw}`),
    'A raw transaction of the unknown type 0x7e': withRaw(`0x7e${typed.raw.slice(4)}`),
    'A raw transaction to another address': withRaw(
      signSending(otherCase, privateKey).signedRawTransaction,
    ),
    'A raw transaction for another chain': withRaw(
      signed({ chainId: hex(BigInt(unsigned.chainId) + 1n) }).signedRawTransaction,
    ),
    'A raw transaction with another nonce': withRaw(
      signed({ nonce: hex(BigInt(unsigned.nonce) + 1n) }).signedRawTransaction,
    ),
    'A raw transaction of the type 0x02 with a legacy signature': withRaw(typed.raw),
    'A transaction of the type 0x01 with an access list': {
      ...sending,
      ...ofList,
      signedRawTransaction: withList,
    },
    'The high s of the signature everywhere': withSignature(prepared, withHighS),
    'r 0 everywhere': withSignature(prepared, (signature) => ({ ...signature, r: 0n })),
    's 0 everywhere': withSignature(prepared, (signature) => ({ ...signature, s: 0n })),
    'A value that the signer does not have': signed({ value: '0x1' }),
    'A gas price that the signer cannot pay': signed({ gasPrice: '0xde0b6b3a7640000' }),
  }
}

const quantities = ['gasLimit', 'gasPrice', 'chainId', 'nonce', 'value'] as const

/** Spellings of a number that are not a hexstring. */
const notHex: Readonly<Record<string, (value: string) => unknown>> = {
  'without 0x': (value) => value.slice(2),
  'with 0X': (value) => `0X${value.slice(2)}`,
  'in decimal': (value) => BigInt(value).toString(),
  'as a number': (value) => Number(value),
  'with a space before it': (value) => ` ${value}`,
  'followed by a line break': (value) => `${value}\n`,
  'with a letter before it': (value) => `x${value}`,
  'with a letter that is not hex': (value) => `${value}g`,
  'with only 0x': () => '0x',
  'with a minus': (value) => `-${value}`,
}

function wrongQuantities({ sending, unsigned }: PreparedSending): Record<string, object> {
  const cases: [string, object][] = []
  for (const [how, change] of Object.entries(notHex)) {
    for (const member of ['r', 's', 'v'] as const) {
      cases.push([`${member} ${how}`, { ...sending, [member]: change(sending[member]) }])
    }
    for (const member of quantities) {
      const unsignedTransaction = { ...unsigned, [member]: change(unsigned[member]) }
      cases.push([`${member} ${how}`, { ...sending, unsignedTransaction }])
    }
  }
  return Object.fromEntries(cases)
}

/** Sends each: all must be rejected with -32602, and none may publish the attribute. */
async function findNoneSent(
  context: TirContext,
  wrongOf: (prepared: PreparedSending) => Readonly<Record<string, object>>,
): Promise<Finding> {
  const { tir } = context
  const prepare = async () => {
    const prepared = await prepareSending(context)
    return { ...prepared, wrong: wrongOf(prepared) }
  }
  const first = await prepare()
  const cases = Object.keys(first.wrong)
  let current: typeof first | undefined = first
  const finding = await findEach(dueCases(context, cases), async (what) => {
    current ??= await prepare()
    const sending = current.wrong[what] ?? {}
    const answer = await tir.call('sendSignedTransaction', sending)
    const found = findRpcError(answer, { what, code: -32602 })
    // An accepted transaction has used its nonce.
    if (found.kind !== 'held') current = undefined
    return found
  })
  if (finding.kind !== 'held') return finding
  const { metadata } = first
  const published = await tir.readAttribute(metadata.did, metadata.attributeId)
  expectEqual('the attribute afterwards', published, undefined)
  return held(
    `${cases.length} wrong transactions were rejected, and the attribute is not published`,
  )
}

const decode = createEventDecoder(trustedIssuersRegistryAbi)

/** The number of an issuerType in events. */
const issuerTypes = { TAO: '2', TI: '3', REVOKED: '4' }

/** A publication whose r begins with a zero, as that of one in 16 does. */
async function prepareShortR(context: TirContext): Promise<PreparedSending> {
  for (;;) {
    const prepared = await prepareSending(context)
    if (prepared.sending.r.startsWith('0x0')) return prepared
  }
}

export const checks = defineChecks<TirContext>({
  'T91-malformed-raw-transactions': {
    title: 'A raw transaction that does not follow from the other members is not sent',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    clauses: ['EIP-2, Specification 2', 'EIP-155, Specification'],
    description:
      'The TIR forwards the raw transaction: a client or proxy can change any value that is not compared.',
    sends:
      'sendSignedTransaction of a publication with raw transactions that are unsigned, unbound, longer, shorter, with a padded number, of another type, receiver, chain or nonce, with an access list, with a high s, and without funds.',
    decides: 'error.code -32602 for each of them, and the attribute is not published.',
    fix: 'Serialize unsignedTransaction with r, s and v, and compare all bytes with signedRawTransaction. Require a low s and funds. Otherwise return error.code -32602.',
    control: 'sendSignedTransaction',
    run: (context) => findNoneSent(context, malformedSendings),
  },
  'T92-quantities-in-hex': {
    title: 'r, s, v and the numbers of unsignedTransaction must be hexstrings',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.endpoints/tir.12',
      '2.resources-and-their-fields/types-used-in-the-tir.2',
      '2.errors/tir.4',
    ],
    description: '10 is ten or sixteen: a TIR that guesses compares a different number.',
    sends:
      'sendSignedTransaction with each of r, s, v, gasLimit, gasPrice, chainId, nonce and value in ten spellings that are not a hexstring.',
    decides: 'error.code -32602 for each of them, and the attribute is not published.',
    fix: 'Require 0x and at least one hex digit, and no other character, in each of these members. Otherwise return error.code -32602.',
    control: 'sendSignedTransaction',
    run: (context) => findNoneSent(context, wrongQuantities),
  },
  'T93-spellings-of-a-sending': {
    title: 'A signed transaction is accepted in each spelling of its hex',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/tir.12', '2.resources-and-their-fields/types-used-in-the-tir.2'],
    description:
      'Signers differ in upper case, checksums and leading zeros. They mean the same transaction.',
    sends:
      'Publications with all hex in upper case, all in lower case, numbers with leading zeros, and an r that begins with zeros, with and without them.',
    decides: 'Each returns the hash of its transaction, whose receipt has status 0x1.',
    fix: 'Compare bytes and numbers, not their texts.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const all = (value: unknown, change: (text: string) => string): unknown =>
        typeof value === 'string'
          ? value.startsWith('0x')
            ? change(value)
            : value
          : Object.fromEntries(
              Object.entries(value as object).map(([name, each]) => [name, all(each, change)]),
            )
      const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
      const padded = (text: string) => `0x${text.slice(2).padStart(64, '0')}`
      const spellings: Readonly<Record<string, (prepared: PreparedSending) => unknown>> = {
        'upper case': ({ sending }) => all(sending, upper),
        'lower case': ({ sending }) => all(sending, (text) => text.toLowerCase()),
        'leading zeros': ({ sending, unsigned }) => ({
          ...sending,
          v: padded(sending.v),
          unsignedTransaction: {
            ...unsigned,
            nonce: padded(unsigned.nonce),
            value: padded(unsigned.value),
          },
        }),
        'all digits of a short r': ({ sending }) => sending,
        'r and s without leading zeros': ({ sending }) => ({
          ...sending,
          r: hex(BigInt(sending.r)),
          s: hex(BigInt(sending.s)),
        }),
      }
      return findEach(Object.entries(spellings), async ([what, spell]) => {
        const prepared = await prepareShortR(context)
        const answer = await tir.call('sendSignedTransaction', spell(prepared) as object)
        const hash = String(requireResult(answer, `A sending with ${what}`))
        const { status } = await tir.awaitReceipt(hash)
        expectEqual(`status of the receipt with ${what}`, status, '0x1')
        return held(`A sending with ${what} was accepted`)
      })
    },
  },
  'T94-events-of-each-write': {
    title: 'Each write has the documented event with the values of its call',
    level: 'practice',
    expectation: 'advice',
    rows: ['2.events.1', '2.events.2'],
    description:
      'Clients that follow the TIR learn from the events alone who was accredited and revoked.',
    sends: 'A publication, two revisions of its data, and a revocation.',
    decides:
      'The receipts at the chain node have exactly the events in docs/reference/events.md. If the contract has events with other signatures, which the profile allows, the check is inconclusive.',
    fix: 'Emit AttributeMetadataSet for each change of an attribute and AttributeDataSet for each revision, with the values that are stored.',
    needs: ['accreditor'],
    async run(context) {
      const { tir, environment } = context
      const by = await context.accreditor()
      const metadata = metadataOf(by, environment)
      const { did, attributeId, taoDid, attributeIdTao } = metadata
      const ids = { didHash: didHashOf(did), attributeId: `0x${attributeId}`, did }
      const metadataSet = (issuerType: keyof typeof issuerTypes) => ({
        name: 'AttributeMetadataSet',
        args: {
          ...ids,
          issuerType: issuerTypes[issuerType],
          taoDid,
          attributeIdTao: `0x${attributeIdTao}`,
        },
      })
      const bodies = ['First', 'Second'].map((type) => signBody(context, metadata, by, type))
      const writeData = (jwt: string) => () => tir.writeData({ did, attributeId, jwt }, by.signer)
      const revocation = { ...metadata, issuerType: 'REVOKED' } as const
      const writes: readonly (readonly [string, () => Promise<string>, readonly object[]])[] = [
        ['a publication', () => tir.writeMetadata(metadata, by.signer), [metadataSet('TI')]],
        ...bodies.map(
          (jwt, at) =>
            [
              `revision ${at + 1} of the data`,
              writeData(jwt),
              [
                {
                  name: 'AttributeDataSet',
                  args: {
                    ...ids,
                    revision: String(at),
                    data: toHex(Buffer.from(jwt)),
                  },
                },
              ],
            ] as const,
        ),
        ['a revocation', () => tir.writeMetadata(revocation, by.signer), [metadataSet('REVOKED')]],
      ]
      await requireEach(writes, async ([what, write, events]) => {
        const hash = await asPremise(`${what} (see T02, T12, T18)`, write())
        const { logs } = await tir.awaitReceipt(hash)
        return findOtherEvents(what, logs, decode, events)
      })
      return held('The events have the values of the calls')
    },
  },
})
