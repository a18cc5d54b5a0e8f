import type { CheckRow, CheckTexts, Finding } from '../../../kit/check.ts'
import { defineChecks, held, wronglyAccepted } from '../../../kit/check.ts'
import type { TirContext } from '../context.ts'
import { type PreparedSending, prepareSending, signSending } from '../publications.ts'
import { findRpcError } from '../rpc.ts'

/** Publications that are not sent, by what is wrong with them. */
interface WrongSendings extends CheckTexts {
  /** How each makes the correct parameters wrong, by what it is then: `A changed r`. */
  readonly wrong: Readonly<Record<string, Change>>
}

type Change = (prepared: PreparedSending, context: TirContext) => object

/** A member of unsignedTransaction that is one more than in what is signed. */
const oneMore =
  (member: 'nonce' | 'gasLimit' | 'gasPrice' | 'value'): Change =>
  ({ sending, unsigned }) => {
    const changed = { [member]: `0x${(BigInt(unsigned[member]) + 1n).toString(16)}` }
    return { ...sending, unsignedTransaction: { ...unsigned, ...changed } }
  }

const withProtocol =
  (protocol: string | undefined): Change =>
  ({ sending }) => ({ ...sending, protocol })

export const checks = defineChecks<TirContext, WrongSendings>(
  {
    'T44-changed-r': {
      title: 'A signature whose r is another one than in the raw transaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'The members have to say the same: what was checked must be what is sent.',
      wrong: { 'A changed r': ({ sending }) => ({ ...sending, r: `0x${'11'.repeat(32)}` }) },
    },
    'T45-changed-s': {
      title: 'A signature whose s is another one than in the raw transaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'The members have to say the same: what was checked must be what is sent.',
      wrong: { 'A changed s': ({ sending }) => ({ ...sending, s: `0x${'11'.repeat(32)}` }) },
    },
    'T46-changed-v': {
      title: 'A signature whose v is another one than in the raw transaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'With the other v another key is recovered, and with it another signer.',
      wrong: {
        'A changed v': ({ sending }) => ({ ...sending, v: sending.v === '0x1b' ? '0x1c' : '0x1b' }),
      },
    },
    'T47-changed-data': {
      title: 'A raw transaction with other call data than unsignedTransaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description:
        'Whoever looks at unsignedTransaction would see another publication than is made.',
      wrong: {
        'unsignedTransaction with other data': ({ sending, unsigned }) => {
          const data = `${unsigned.data.slice(0, -2)}ff`
          return { ...sending, unsignedTransaction: { ...unsigned, data } }
        },
      },
    },
    'T48-changed-quantities': {
      title:
        'A raw transaction with another nonce, gas or value than unsignedTransaction is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'The transaction that is sent may cost what nobody agreed to.',
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
      description: 'It can never be mined here; a client that gets a hash for it waits for ever.',
      wrong: {
        'A transaction for another chain': ({ unsigned, by }) => {
          const chainId = `0x${(BigInt(unsigned.chainId) + 1n).toString(16)}`
          return signSending({ ...unsigned, chainId }, by.signer.privateKey)
        },
      },
    },
    'T50-wrong-contract': {
      title: 'A transaction to another address than the TIR contract is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description: 'The API would be a way into the chain for anything.',
      wrong: {
        'A transaction to another address': ({ unsigned, by }, { didRegistry }) => {
          const to = didRegistry.createIdentity().address
          return signSending({ ...unsigned, to }, by.signer.privateKey)
        },
      },
    },
    'T51-another-signer': {
      title: 'A transaction whose signer is not from is not sent',
      level: 'spec',
      rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
      description:
        'Whoever signed with the wrong key is told so, and not by a receipt that says reverted.',
      wrong: {
        'A transaction by another signer than from': ({ unsigned }, { didRegistry }) => {
          const { address, privateKey } = didRegistry.createIdentity()
          const signed = signSending({ ...unsigned, from: address, nonce: '0x0' }, privateKey)
          const unsignedTransaction = { ...signed.unsignedTransaction, from: unsigned.from }
          return { ...signed, unsignedTransaction }
        },
      },
    },
    'T52-protocol': {
      title: 'A protocol other than eth is refused',
      level: 'spec',
      rows: ['2.endpoints/tir.12', '2.endpoints/tir.16'],
      description: 'It is always eth: another one was meant for another network.',
      wrong: {
        'protocol fabric': withProtocol('fabric'),
        'protocol ETH': withProtocol('ETH'),
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
    decides: `error.code -32602${what.length > 1 ? ' for each of them' : ''}, and the attribute is not published; the same with nothing wrong has a result.`,
    needs: ['accreditor'],
    control: 'sendSignedTransaction',
    async run(context) {
      const findings: Finding[] = []
      for (const [wrongly, change] of Object.entries(wrong)) {
        const finding = await findNotSent(context, wrongly, change)
        if (finding.kind !== 'held') return finding
        findings.push(finding)
      }
      return held(findings.map(({ reason }) => reason).join('; '))
    },
  }
}

/**
 * Sends a publication with something wrong in it: it is refused with -32602, and nothing of it gets
 * to the chain.
 */
async function findNotSent(context: TirContext, what: string, change: Change): Promise<Finding> {
  const { tir } = context
  const prepared = await prepareSending(context)
  const { did, attributeId } = prepared.metadata
  const answer = await tir.call('sendSignedTransaction', change(prepared, context))
  const finding = findRpcError(answer, { what, code: -32602 })
  if (finding.kind !== 'held') return finding
  if ((await tir.readAttribute(did, attributeId)) === undefined) return finding
  return wronglyAccepted(`${what} was sent to the chain: the attribute is published`, {
    verdictSource: 'the attribute afterwards',
    expected: 'no attribute',
    actual: answer.json,
  })
}
